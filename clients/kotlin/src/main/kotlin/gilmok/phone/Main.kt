package gilmok.phone

import java.io.File
import kotlin.system.exitProcess

/**
 * Records positions of a made-up ride and sends them: `URL KEY FOLDER RIDER COUNT`. Prints
 * `recorded N` once the Nth is on disk, and `sent` when nothing waits any more.
 */
fun main(arguments: Array<String>) {
  if (arguments.size != 5) {
    System.err.println("usage: URL KEY FOLDER RIDER COUNT")
    exitProcess(2)
  }
  val (url, key, folder, rider, count) = arguments
  Uploader("$url/v1/traces", { key }, File(folder)).use { uploader ->
    val begin = System.currentTimeMillis() - 3_600_000
    for (i in 1..count.toInt()) {
      uploader.add(
        mapOf(
          "riderId" to rider,
          "at" to begin + 1_000L * i,
          "lat" to 37.5 + 0.0001 * i,
          "lon" to 127.0,
          "accuracy" to 8))
      println("recorded $i")
    }
    if (!uploader.awaitSent(120_000)) {
      System.err.println("${uploader.waiting} still wait")
      exitProcess(1)
    }
  }
  println("sent")
}
