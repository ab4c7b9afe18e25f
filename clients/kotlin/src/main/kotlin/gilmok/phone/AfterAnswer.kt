package gilmok.phone

/** What to do after the server has answered a batch, or has not. */
sealed interface AfterAnswer {
  /** The server has it on disk: delete it here. */
  data object Done : AfterAnswer

  /** Something in it is refused: send its halves. */
  data object Split : AfterAnswer

  /** The one record is refused for good: set it aside. */
  data object Reject : AfterAnswer

  /** Send the same again after so long. */
  data class Wait(val millis: Long) : AfterAnswer

  companion object {
    private const val RETRY_AFTER_SECONDS_MAX = 3_600L
    private const val BACKOFF_MILLIS_MAX = 60_000.0
    private const val HELPLESS_MILLIS = 300_000.0
    private const val DOUBLINGS_MAX = 30

    /**
     * Decides, as the vectors beside this client say.
     *
     * @param status 0 if no answer came
     * @param retryAfter the header, if there was one
     * @param attempt how many tries of this batch have failed before
     * @param size records of the batch
     * @param random 0 to 1, exclusive: so that not all phones come back at once
     */
    fun of(status: Int, retryAfter: String?, attempt: Int, size: Int, random: Double): AfterAnswer =
      when {
        status in 200..299 -> Done
        status == 400 || status == 413 || status == 422 -> if (size > 1) Split else Reject
        status == 0 || status == 408 || status == 429 || status >= 500 ->
          Wait(busy(retryAfter, attempt, random))
        else -> Wait((HELPLESS_MILLIS * (0.5 + 0.5 * random)).toLong())
      }

    private fun busy(retryAfter: String?, attempt: Int, random: Double): Long {
      val text = retryAfter?.trim().orEmpty()
      if (text.isNotEmpty() && text.length <= 9 && text.all { it in '0'..'9' }) {
        val seconds = minOf(text.toLong(), RETRY_AFTER_SECONDS_MAX)
        return (1_000.0 * seconds + random * 100 * seconds).toLong()
      }
      val doubled = 1_000.0 * (1L shl minOf(attempt, DOUBLINGS_MAX))
      return (minOf(BACKOFF_MILLIS_MAX, doubled) * (0.5 + 0.5 * random)).toLong()
    }
  }
}
