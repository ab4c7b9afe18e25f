package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Lines of the server's log as JSON, read by an independent parser. */
@Tag("unit")
class JsonLineTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void format_aLine_isOneObject() {
    LogRecord record = new LogRecord(Level.FINE, "{0} of {1}");
    record.setParameters(new Object[] {"one", "two"});
    record.setLoggerName("gilmok.log");
    record.setInstant(Instant.parse("2026-11-21T09:00:00.123Z"));

    String line = new JsonLine().format(record);

    assertThat(line).endsWith("}\n");
    JsonNode read = JSON.readTree(line);
    assertThat(read.propertyNames()).containsExactly("time", "level", "logger", "message");
    assertThat(read.path("time").asString()).isEqualTo("2026-11-21T09:00:00.123Z");
    assertThat(read.path("level").asString()).isEqualTo("DEBUG");
    assertThat(read.path("logger").asString()).isEqualTo("gilmok.log");
    assertThat(read.path("message").asString()).isEqualTo("one of two");
  }

  @Test
  void fields_areMembers_andBehindTheMessageInText() {
    LogRecord record =
        new FieldLog.FieldRecord(
            Level.INFO,
            "request",
            List.of(new FieldLog.Field("status", 202), new FieldLog.Field("path", "/a\"b\nc")));
    record.setLoggerName("gilmok.access");

    JsonNode read = JSON.readTree(new JsonLine().format(record));

    assertThat(read.path("status").isNumber()).isTrue();
    assertThat(read.path("status").asInt()).isEqualTo(202);
    assertThat(read.path("path").asString()).isEqualTo("/a\"b\nc");
    assertThat(new LogLine().format(record))
        .endsWith(" INFO gilmok.access request status=202 path=\"/a\\\"b\\nc\"\n");
  }

  /** What a client sends as its name cannot look like another field, or another line. */
  @Test
  void fieldThatPretendsToBeMore_isOne() {
    String forged =
        "curl status=200 key=\"admin\"\r\n2026-11-21T09:00:00.123Z INFO x\u0085\u001b[2J\\";
    LogRecord record =
        new FieldLog.FieldRecord(
            Level.INFO,
            "request",
            List.of(
                new FieldLog.Field("agent", forged),
                new FieldLog.Field("key", ""),
                new FieldLog.Field("path", "/a=b")));

    String line = new LogLine().format(record);

    assertThat(line)
        .endsWith(
            " request agent=\"curl status=200 key=\\\"admin\\\"\\u000d\\n2026-11-21T09:00:00.123Z INFO"
                + " x\\u0085\\u001b[2J\\\\\" key= path=\"/a=b\"\n");
    assertThat(JSON.readTree(new JsonLine().format(record)).path("agent").asString())
        .isEqualTo(forged);
  }

  @Test
  void format_whateverIsInIt_isOneLineAndComesBackAsItWas() {
    String odd = "a \"quote\", a \\, a\nline, \u0000\u001b\u0085, 길목, \ud83d\ude00, \u2028";
    LogRecord record = new LogRecord(Level.SEVERE, odd);
    record.setThrown(new IllegalStateException(odd, new RuntimeException("the cause")));

    String line = new JsonLine().format(record);

    assertThat(line.strip()).doesNotContain("\n");
    JsonNode read = JSON.readTree(line);
    assertThat(read.path("message").asString()).isEqualTo(odd);
    assertThat(read.path("thrown").asString())
        .startsWith("java.lang.IllegalStateException: a ")
        .contains("\n\tat ")
        .contains("caused by java.lang.RuntimeException: the cause");
  }
}
