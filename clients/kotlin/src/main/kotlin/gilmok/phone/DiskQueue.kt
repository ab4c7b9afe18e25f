package gilmok.phone

import java.io.Closeable
import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.io.RandomAccessFile

/**
 * Records that were not sent yet, in files of a folder: what [add] has returned from survives the
 * app's end, and the phone's. Files are named by their first record's number; a record is a line.
 * Thread-safe, whatever interrupts its threads; one process at a time.
 *
 * @param bytesMax over it the oldest file goes; [dropped] counts its records
 * @throws IOException when the folder cannot be used
 */
class DiskQueue(private val folder: File, private val bytesMax: Long = 64L shl 20) : Closeable {
  /** Records from the oldest on, and the number of the one behind them. */
  data class Batch(val records: List<String>, val next: Long)

  private val lock = Any()
  private val files = sortedMapOf<Long, File>()
  private var first: Long
  private var end: Long
  private var out: RandomAccessFile? = null
  private var droppedCount = 0L

  init {
    if (!folder.isDirectory && !folder.mkdirs()) throw IOException("$folder cannot be made")
    folder.listFiles { file -> NAME.matches(file.name) }.orEmpty().forEach {
      files[it.name.substringBefore('.').toLong()] = it
    }
    files.lastEntryOrNull()?.value?.let(::cut)
    end = files.lastEntryOrNull()?.let { (number, file) -> number + count(file) } ?: 1
    val cursor = readCursor()
    val oldest = if (files.isEmpty()) cursor ?: 1 else files.firstKey()
    // A cursor behind the end, as of a file that was lost: what comes next must not count as sent.
    end = maxOf(end, oldest, cursor ?: oldest)
    first = maxOf(oldest, cursor ?: oldest)
    deleteSent()
    repair()
  }

  /**
   * A file whose lines are not as many as the next one's number says was damaged: what looks whole
   * in it is sent again, from its begin, as nobody knows how far it was sent.
   */
  private fun repair() {
    for ((number, next) in files.keys.zipWithNext()) {
      val file = files.getValue(number)
      val room = next - number
      if (count(file) == room) continue
      val whole = file.readLines().filter { it.startsWith("{") && it.endsWith("}") }
      val kept = whole.take(minOf(room, whole.size.toLong()).toInt())
      val fresh = File(folder, "${file.name}.new")
      fresh.writeText((kept + List((room - kept.size).toInt()) { "" }).joinToString("") { "$it\n" })
      if (number < first) {
        // Before the repair, which is not seen a second time.
        first = number
        writeCursor()
      }
      if (!fresh.renameTo(file)) throw IOException("$file cannot be repaired")
    }
  }

  /** How many are not sent. */
  val size: Long
    get() = synchronized(lock) { end - first }

  /** How many were dropped since the start, as there was no room. */
  val dropped: Long
    get() = synchronized(lock) { droppedCount }

  /** Adds records, each without line ends; they are on disk when it returns. */
  fun add(records: List<String>) {
    if (records.isEmpty()) return
    require(records.none { '\n' in it || '\r' in it }) { "a record has a line end" }
    val bytes = records.joinToString("\n", postfix = "\n").toByteArray()
    synchronized(lock) {
      val file = fileFor(bytes.size)
      // Not by a channel: an interrupt would close it for every later record.
      val before = file.length()
      try {
        file.seek(before)
        file.write(bytes)
        file.fd.sync()
      } catch (failed: IOException) {
        // Half a record must not stand before the next one.
        runCatching { file.setLength(before) }
        throw failed
      }
      end += records.size
    }
  }

  private fun fileFor(more: Int): RandomAccessFile {
    val open = out
    if (open != null && open.length() + more <= FILE_BYTES_MAX) return open
    open?.close()
    out = null
    while (files.isNotEmpty() && files.values.sumOf { it.length() } + more > bytesMax) dropOldest()
    // Not by a format: its digits are those of the phone's language.
    val file = File(folder, end.toString().padStart(DIGITS, '0') + ".q")
    val fresh = RandomAccessFile(file, "rw")
    files[end] = file
    out = fresh
    return fresh
  }

  /** The number of the first record that was not sent; null if it is missing, or cannot be. */
  private fun readCursor(): Long? {
    val text = File(folder, CURSOR).takeIf { it.isFile }?.readText()?.trim()
    return text?.takeIf { it.length <= DIGITS }?.toLongOrNull()?.takeIf { it > 0 }
  }

  private fun dropOldest() {
    val (number, file) = files.firstEntry()
    val behind = files.keys.elementAtOrNull(1) ?: end
    droppedCount += maxOf(0, behind - maxOf(first, number))
    first = maxOf(first, behind)
    file.delete()
    files.remove(number)
  }

  /** The oldest records, at most so many. */
  fun peek(most: Int): Batch =
    synchronized(lock) {
      val records = ArrayList<String>()
      var next = first
      for ((number, file) in files.tailMap(files.keys.lastOrNull { it <= first } ?: first)) {
        file.useLines { lines ->
          for (line in lines.drop(maxOf(0, next - number).toInt())) {
            if (records.size == most) break
            if (line.isNotEmpty()) records.add(line) // an empty one stands for what was damaged
            next++
          }
        }
      }
      Batch(records, next)
    }

  /** Forgets the records before that number: the server has them. */
  fun forget(before: Long) {
    synchronized(lock) {
      if (before <= first) return
      first = minOf(before, end)
      deleteSent() // first, so that a full disk has room for the cursor
      writeCursor()
    }
  }

  private fun writeCursor() {
    val fresh = File(folder, "$CURSOR.new")
    FileOutputStream(fresh).use {
      it.write(first.toString().toByteArray())
      it.fd.sync()
    }
    if (!fresh.renameTo(File(folder, CURSOR))) throw IOException("the cursor cannot be written")
  }

  private fun deleteSent() {
    while (files.size > 1 && files.keys.elementAt(1) <= first) {
      files.remove(files.firstKey())?.delete()
    }
    // All is sent: the file that is written may go, too, as the next one is named by its number.
    val only = files.lastEntryOrNull() ?: return
    if (files.size == 1 && first == end && only.value.length() >= FILE_BYTES_MAX / 2) {
      out?.close()
      out = null
      files.clear()
      only.value.delete()
    }
  }

  override fun close() {
    synchronized(lock) {
      out?.close()
      out = null
    }
  }

  private companion object {
    val NAME = Regex("[0-9]{16}\\.q")
    const val DIGITS = 16
    const val CURSOR = "cursor"
    const val FILE_BYTES_MAX = 256L shl 10

    fun <K, V> java.util.SortedMap<K, V>.lastEntryOrNull(): Map.Entry<K, V>? =
      if (isEmpty()) null else entries.last()

    fun <K, V> java.util.SortedMap<K, V>.firstEntry(): Map.Entry<K, V> = entries.first()

    fun count(file: File): Long = file.useLines { lines -> lines.count().toLong() }

    /** Cuts off a last line that was not written to its end. */
    fun cut(file: File) {
      RandomAccessFile(file, "rw").use {
        var length = it.length()
        while (length > 0) {
          it.seek(length - 1)
          if (it.read() == '\n'.code) break
          length--
        }
        if (length < it.length()) it.setLength(length)
      }
    }
  }
}
