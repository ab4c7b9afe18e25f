package gilmok.phone

import java.io.File
import java.nio.file.Path
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import tools.jackson.databind.JsonNode
import tools.jackson.databind.json.JsonMapper

/** This client does what the vectors say. */
class VectorsTest {
  @TempDir lateinit var folder: Path

  private fun vectors(file: String): JsonNode =
    JsonMapper.shared().readTree(File("../vectors/$file").readText())

  @Test
  fun answers() {
    for (case in vectors("answers.json")) {
      val after =
        AfterAnswer.of(
          case.path("status").asInt(),
          case.path("retryAfter").asString(null),
          case.path("attempt").asInt(),
          case.path("size").asInt(),
          case.path("random").asDouble())
      val told =
        when (after) {
          is AfterAnswer.Done -> "done"
          is AfterAnswer.Split -> "split"
          is AfterAnswer.Reject -> "reject"
          is AfterAnswer.Wait -> "wait ${after.millis}"
        }
      val wanted =
        case.path("action").asString() + (case.get("millis")?.let { " " + it.asLong() } ?: "")
      assertEquals(wanted, told, case.toString())
    }
  }

  @Test
  fun queue() {
    for ((number, case) in vectors("queue.json").withIndex()) {
      val place = folder.resolve("case-$number").toFile().apply { mkdirs() }
      case.path("files").properties().forEach { (name, content) ->
        File(place, name).writeText(content.asString())
      }
      case.get("cursor")?.let { File(place, "cursor").writeText(it.asString()) }
      val wanted: List<String> = case.path("records").values().map { it.asString() }
      DiskQueue(place).use { queue ->
        assertEquals(wanted, queue.peek(100).records, case.toString())
        // What stands for a damaged record counts until it is passed.
        assert(queue.size in wanted.size..wanted.size + 1) { case.toString() }
        queue.add(listOf("{\"a\":\"new\"}"))
        assertEquals(wanted + "{\"a\":\"new\"}", queue.peek(100).records, case.toString())
      }
      DiskQueue(place).use { queue ->
        assertEquals(wanted + "{\"a\":\"new\"}", queue.peek(100).records, "again: $case")
        queue.forget(queue.peek(100).next)
        assertEquals(0, queue.size)
      }
      DiskQueue(place).use { queue -> assertEquals(emptyList<String>(), queue.peek(100).records) }
    }
  }

  @Test
  fun queueOverItsBound_dropsTheOldest_andCountsThem() {
    val place = folder.resolve("full").toFile()
    DiskQueue(place, bytesMax = 600L shl 10).use { queue ->
      val record = "{\"a\":\"" + "x".repeat(1_000) + "\"}"
      repeat(2_000) { queue.add(listOf(record)) }
      assertEquals(2_000L, queue.size + queue.dropped)
      assert(queue.dropped > 1_000)
      assert(place.listFiles()!!.sumOf { it.length() } < 700L shl 10)
    }
  }
}
