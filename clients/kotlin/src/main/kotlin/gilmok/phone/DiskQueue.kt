package gilmok.phone

import java.io.Closeable
import java.io.File
import java.io.FileOutputStream
import java.io.IOException
import java.io.RandomAccessFile

/**
 * Records that were not sent yet, in files of a folder: what [add] has returned from survives the
 * app's end, and the phone's. Files are named by their first record's number; a record is a line.
 * Thread-safe; one process at a time.
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
  private var out: FileOutputStream? = null
  private var droppedCount = 0L

  init {
    if (!folder.isDirectory && !folder.mkdirs()) throw IOException("$folder cannot be made")
    folder.listFiles { file -> NAME.matches(file.name) }.orEmpty().forEach {
      files[it.name.substringBefore('.').toLong()] = it
    }
    files.lastEntryOrNull()?.value?.let(::cut)
    end = files.lastEntryOrNull()?.let { (number, file) -> number + count(file) } ?: 1
    val cursor = File(folder, CURSOR).takeIf { it.isFile }?.readText()?.trim()?.toLongOrNull()
    val oldest = if (files.isEmpty()) cursor ?: 1 else files.firstKey()
    // A cursor behind the end, as of a file that was lost: what comes next must not count as sent.
    end = maxOf(end, oldest, cursor ?: oldest)
    first = maxOf(oldest, cursor ?: oldest)
    deleteSent()
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
      val before = file.channel.size()
      try {
        file.write(bytes)
        file.fd.sync()
      } catch (failed: IOException) {
        // Half a record must not stand before the next one.
        runCatching { file.channel.truncate(before) }
        throw failed
      }
      end += records.size
    }
  }

  private fun fileFor(more: Int): FileOutputStream {
    val open = out
    if (open != null && open.channel.size() + more <= FILE_BYTES_MAX) return open
    open?.close()
    while (files.isNotEmpty() && files.values.sumOf { it.length() } + more > bytesMax) dropOldest()
    val file = File(folder, "%016d.q".format(end))
    val fresh = FileOutputStream(file, true)
    files[end] = file
    out = fresh
    return fresh
  }

  private fun dropOldest() {
    val (number, file) = files.firstEntry()
    val behind = number + count(file)
    droppedCount += maxOf(0, behind - maxOf(first, number))
    first = maxOf(first, behind)
    file.delete()
    files.remove(number)
  }

  /** The oldest records, at most so many. */
  fun peek(most: Int): Batch =
    synchronized(lock) {
      val records = ArrayList<String>()
      for ((number, file) in files.tailMap(files.keys.lastOrNull { it <= first } ?: first)) {
        if (records.size >= most) break
        val skip = maxOf(0, first - number)
        file.useLines { lines ->
          lines.drop(skip.toInt()).take(most - records.size).forEach(records::add)
        }
      }
      Batch(records, first + records.size)
    }

  /** Forgets the records before that number: the server has them. */
  fun forget(before: Long) {
    synchronized(lock) {
      if (before <= first) return
      first = minOf(before, end)
      val fresh = File(folder, "$CURSOR.new")
      FileOutputStream(fresh).use {
        it.write(first.toString().toByteArray())
        it.fd.sync()
      }
      if (!fresh.renameTo(File(folder, CURSOR))) throw IOException("the cursor cannot be written")
      deleteSent()
    }
  }

  private fun deleteSent() {
    while (files.size > 1 && files.keys.elementAt(1) <= first) {
      files.remove(files.firstKey())?.delete()
    }
  }

  override fun close() {
    synchronized(lock) {
      out?.close()
      out = null
    }
  }

  private companion object {
    val NAME = Regex("\\d{16}\\.q")
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
