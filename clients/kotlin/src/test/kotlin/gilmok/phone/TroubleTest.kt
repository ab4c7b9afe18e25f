package gilmok.phone

import com.sun.net.httpserver.HttpServer
import java.io.File
import java.net.InetAddress
import java.net.InetSocketAddress
import java.nio.file.Path
import java.util.Locale
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** What happens on a phone, and must not end the sending. */
class TroubleTest {
  @TempDir lateinit var folder: Path

  private val heard: MutableSet<String> = ConcurrentHashMap.newKeySet()
  private val server =
    HttpServer.create(InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0).apply {
      createContext("/") { exchange ->
        heard += exchange.requestBody.readBytes().decodeToString().lines().filter { it.isNotEmpty() }
        exchange.sendResponseHeaders(202, -1)
        exchange.close()
      }
      start()
    }
  private val url = "http://127.0.0.1:${server.address.port}/"

  @AfterEach fun stop() = server.stop(0)

  @Test
  fun aLanguageWithOtherDigits_findsItsQueueAgain() {
    val usual = Locale.getDefault()
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"))
    try {
      val place = folder.resolve("arabic").toFile()
      DiskQueue(place).use { it.add(listOf("{\"a\":1}")) }
      DiskQueue(place).use { assertEquals(listOf("{\"a\":1}"), it.peek(9).records) }
    } finally {
      Locale.setDefault(usual)
    }
  }

  @Test
  fun anInterruptedAdd_harmsNoLaterOne() {
    DiskQueue(folder.resolve("interrupted").toFile()).use { queue ->
      queue.add(listOf("{\"a\":1}"))
      Thread.currentThread().interrupt()
      queue.add(listOf("{\"a\":2}"))
      assertTrue(Thread.interrupted())
      queue.add(listOf("{\"a\":3}"))
      assertEquals(listOf("{\"a\":1}", "{\"a\":2}", "{\"a\":3}"), queue.peek(9).records)
    }
  }

  @Test
  fun whatTheAppThrows_isTriedAgain_andShowsNoKey() {
    val asked = AtomicInteger()
    val key = {
      when (asked.incrementAndGet()) {
        1 -> throw IllegalStateException("no key yet")
        2 -> "secret\n"
        else -> "good"
      }
    }
    Uploader(url, key, folder.resolve("throws").toFile()).use { uploader ->
      uploader.add(mapOf("riderId" to "r-1"))
      while (asked.get() < 2 || uploader.lastFailure !is IllegalArgumentException) Thread.sleep(10)
      assertFalse(uploader.lastFailure.toString().contains("secret"))
      assertTrue(uploader.awaitSent(20_000))
    }
    assertEquals(1, heard.size)
  }

  @Test
  fun aCursorThatCannotBeWritten_keepsNothingFromBeingSent_andFilesGo() {
    val place = folder.resolve("full").toFile()
    DiskQueue(place).use { queue ->
      val record = "{\"a\":\"" + "x".repeat(1_000) + "\"}"
      repeat(600) { queue.add(listOf(record.replaceFirst("x", "$it"))) }
    }
    File(place, "cursor.new").mkdirs() // as a full disk would, it keeps the cursor from being written
    Uploader(url, { "good" }, place).use { uploader ->
      val until = System.nanoTime() + 60_000_000_000
      while (uploader.waiting > 0 && System.nanoTime() < until) {
        Thread.sleep(20)
        uploader.hurry()
      }
      assertEquals(0, uploader.waiting)
    }
    assertEquals(600, heard.size)
    assertTrue(place.listFiles()!!.count { it.name.endsWith(".q") } <= 1)
  }
}
