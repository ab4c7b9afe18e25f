package gilmok.phone

import java.io.Closeable
import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.UUID
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.thread
import kotlin.concurrent.withLock
import kotlin.random.Random

/**
 * Sends what an app records, in batches, oldest first, and loses nothing: see the rules in this
 * folder's README. Thread-safe; has one thread of its own until it is closed.
 *
 * @param url of the stream, as in `https://fleet.example/v1/traces`
 * @param key asked for before each request, so that it can be renewed
 * @param folder of the queue: one for each stream
 * @param batchMax most records of a request
 * @param heard is told what became of each request: its status (0: no answer), and how many wait
 */
class Uploader(
  private val url: String,
  private val key: () -> String,
  folder: File,
  private val batchMax: Int = 50,
  private val heard: (status: Int, waiting: Long) -> Unit = { _, _ -> },
) : Closeable {
  private val queue = DiskQueue(folder)
  private val rejects = File(folder, "rejected.ndjson")
  private val lock = ReentrantLock()
  private val changed = lock.newCondition()
  private var isClosed = false
  private var failures = 0

  /** Fewer than [batchMax] while a part of a batch is looked for that the server refuses. */
  private var most = batchMax

  private val sender = thread(name = "gilmok-uploader", isDaemon = true, block = ::run)

  /** How many records wait. */
  val waiting: Long
    get() = queue.size

  /** What last kept it from sending, but for the server and the way there: null if nothing did. */
  @Volatile
  var lastFailure: Exception? = null
    private set

  /** How many were dropped since the start, as there was no room. */
  val dropped: Long
    get() = queue.dropped

  /**
   * Records something: it is on disk when it returns, and will be sent.
   *
   * @param members of a JSON object, without `id`, which is added: texts, numbers, booleans
   */
  fun add(members: Map<String, Any>) {
    queue.add(listOf(Json.of(mapOf<String, Any>("id" to UUID.randomUUID().toString()) + members)))
    lock.withLock { changed.signalAll() }
  }

  /** Tries now, as when the phone is back on line. */
  fun hurry() {
    lock.withLock {
      failures = 0
      changed.signalAll()
    }
  }

  /** Waits until all is sent; false if it was not by then. */
  fun awaitSent(millis: Long): Boolean {
    val until = System.nanoTime() + millis * 1_000_000
    lock.withLock {
      while (queue.size > 0) {
        val left = until - System.nanoTime()
        if (left <= 0) return false
        changed.awaitNanos(minOf(left, 50_000_000))
      }
    }
    return true
  }

  override fun close() {
    lock.withLock {
      isClosed = true
      changed.signalAll()
    }
    sender.join()
    queue.close()
  }

  private fun run() {
    while (true) {
      lock.withLock {
        while (queue.size == 0L && !isClosed) changed.await()
        if (isClosed) return
      }
      val pause =
        try {
          pass()
        } catch (failed: Exception) {
          // The phone's disk, or the app's own key() or heard(): nothing is lost, all is tried again.
          lastFailure = failed
          FAILED_MILLIS
        }
      rest(pause)
    }
  }

  private fun rest(millis: Long) {
    val until = System.nanoTime() + millis * 1_000_000
    lock.withLock {
      val before = failures
      while (!isClosed && failures == before) {
        val left = until - System.nanoTime()
        if (left <= 0) return
        changed.awaitNanos(left)
      }
    }
  }

  /** Sends one batch; returns how long to wait before the next, in milliseconds. */
  private fun pass(): Long {
    val batch = queue.peek(most)
    if (batch.records.isEmpty()) {
      queue.forget(batch.next) // nothing of it was whole
      return 0
    }
    val answer = send(batch.records)
    val after =
      AfterAnswer.of(
        answer.status, answer.retryAfter, failures, batch.records.size, Random.nextDouble())
    val pause =
      when (after) {
        is AfterAnswer.Done -> {
          most = minOf(batchMax, 2 * most)
          failed(0)
          queue.forget(batch.next)
          0
        }
        is AfterAnswer.Split -> {
          most = (batch.records.size + 1) / 2
          0
        }
        is AfterAnswer.Reject -> {
          rejects.appendText(batch.records.first() + "\n")
          queue.forget(batch.next)
          0
        }
        is AfterAnswer.Wait -> {
          failed(failures + 1)
          after.millis
        }
      }
    heard(answer.status, queue.size)
    lock.withLock { changed.signalAll() }
    return pause
  }

  private fun failed(times: Int) {
    lock.withLock { failures = times }
  }

  private data class Answer(val status: Int, val retryAfter: String?)

  private fun send(records: List<String>): Answer {
    val sent = key()
    // Not shown: Java's own message would have all of it.
    require(sent.none { it < ' ' || it > '~' }) { "the key has a character that no header may have" }
    val body = records.joinToString("\n", postfix = "\n").toByteArray()
    try {
      val connection = URL(url).openConnection() as HttpURLConnection
      connection.requestMethod = "POST"
      connection.connectTimeout = TIMEOUT_MILLIS
      connection.readTimeout = TIMEOUT_MILLIS
      connection.instanceFollowRedirects = false // a key is not sent elsewhere
      connection.doOutput = true
      connection.setFixedLengthStreamingMode(body.size)
      connection.setRequestProperty("Content-Type", "application/x-ndjson")
      connection.setRequestProperty("X-Api-Key", sent)
      connection.outputStream.use { it.write(body) }
      val status = connection.responseCode
      val stream = if (status < 400) connection.inputStream else connection.errorStream
      stream?.use { it.readBytes() } // read to its end, the connection serves the next request
      return Answer(status, connection.getHeaderField("Retry-After"))
    } catch (unanswered: IOException) {
      return Answer(0, null)
    }
  }

  private companion object {
    const val TIMEOUT_MILLIS = 20_000
    const val FAILED_MILLIS = 1_000L
  }
}
