package gilmok.phone

/** Writes flat JSON objects. */
internal object Json {
  /** An object of texts, numbers and booleans, in one line. */
  fun of(members: Map<String, Any>): String =
    members.entries.joinToString(",", "{", "}") { (name, value) -> text(name) + ":" + value(value) }

  private fun value(value: Any): String =
    when (value) {
      is Boolean -> value.toString()
      is Int, is Long, is Short, is Byte -> value.toString()
      is Double -> number(value)
      is Float -> number(value.toString().toDouble())
      is Map<*, *> ->
        of(value.entries.associate { (name, inner) -> name.toString() to requireNotNull(inner) })
      else -> text(value.toString())
    }

  private fun number(value: Double): String {
    require(value.isFinite()) { "$value is no number in JSON" }
    return value.toString()
  }

  private fun text(value: String): String =
    buildString(value.length + 2) {
      append('"')
      for (char in value) {
        when {
          char == '"' || char == '\\' -> append('\\').append(char)
          char < ' ' -> append("\\u%04x".format(char.code))
          else -> append(char)
        }
      }
      append('"')
    }
}
