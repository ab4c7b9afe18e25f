package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class LogLineTest {
  @Test
  void format_aMessage_oneLine() {
    assertThat(line(Level.INFO, "opened {0} in {1}", null, "a", "b"))
        .isEqualTo("2026-11-21T09:00:00.120Z INFO gilmok.log opened a in b\n");
  }

  @ParameterizedTest
  @CsvSource({
    "SEVERE, ERROR",
    "WARNING, WARN",
    "INFO, INFO",
    "CONFIG, DEBUG",
    "FINE, DEBUG",
    "FINEST, TRACE"
  })
  void format_level_asWeCallIt(String jul, String ours) {
    assertThat(line(Level.parse(jul), "x", null)).contains(" " + ours + " gilmok.log x\n");
  }

  @Test
  void format_messageWithLineBreaks_staysOneLine() {
    assertThat(line(Level.INFO, "rider {0}", null, "x\n2026 ERROR forged\r\u001b[31m"))
        .endsWith("rider x\\n2026 ERROR forged\\u000d\\u001b[31m\n")
        .hasLineCount(1);
  }

  @Test
  void format_thrown_causesAndFramesIndented() {
    Exception thrown = new IllegalStateException("first\nline", new RuntimeException("second"));

    String text = line(Level.SEVERE, "failed", thrown);

    assertThat(text.lines())
        .first()
        .asString()
        .endsWith("failed: java.lang.IllegalStateException: first\\nline");
    assertThat(text.lines().skip(1)).allSatisfy(line -> assertThat(line).startsWith("\t"));
    assertThat(text).contains("\tat gilmok.observe.LogLineTest", "\tcaused by java.lang.RuntimeE");
  }

  private static String line(
      Level level, String message, @Nullable Throwable thrown, Object... arguments) {
    LogRecord record = new LogRecord(level, message);
    record.setInstant(Instant.parse("2026-11-21T09:00:00.120999Z"));
    record.setLoggerName("gilmok.log");
    record.setThrown(thrown);
    record.setParameters(arguments);
    return new LogLine().format(record);
  }
}
