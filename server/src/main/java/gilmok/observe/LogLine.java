package gilmok.observe;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Formats log records as text: {@code 2026-11-21T09:00:00.123Z INFO gilmok.log message}. A message
 * is always one line; the frames of an exception follow, indented. Thread-safe.
 */
final class LogLine extends Formatter {
  private static final int CAUSES_MAX = 8;
  private static final int FRAMES_MAX = 64;
  static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Override
  public String format(LogRecord record) {
    StringBuilder line = new StringBuilder(128);
    TIME.formatTo(record.getInstant(), line);
    line.append(' ').append(name(record.getLevel()));
    line.append(' ').append(record.getLoggerName()).append(' ');
    append(line, String.valueOf(formatMessage(record)), false);
    for (FieldLog.Field field : FieldLog.of(record)) {
      appendField(line.append(' ').append(field.name()).append('='), field.value().toString());
    }
    if (record.getThrown() != null) {
      appendTrace(line.append(": "), record.getThrown());
    }
    return line.append('\n').toString();
  }

  /** A value that could be taken for more than one, or for another field, is between quotes. */
  private static void appendField(StringBuilder line, String value) {
    if (value.chars().allMatch(c -> c > ' ' && c != '"' && c != '=' && c != '\\')) {
      append(line, value, false);
    } else {
      append(line.append('"'), value, true);
      line.append('"');
    }
  }

  /** Appends an exception, its frames and its causes, with each frame on a line of its own. */
  static void appendTrace(StringBuilder line, Throwable thrown) {
    appendThrown(line, thrown);
    Throwable cause = thrown.getCause();
    for (int depth = 1; cause != null && depth < CAUSES_MAX; depth++) {
      appendThrown(line.append("\n\tcaused by "), cause);
      cause = cause.getCause();
    }
  }

  private static void appendThrown(StringBuilder line, Throwable thrown) {
    append(line, thrown.toString(), false);
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < Math.min(frames.length, FRAMES_MAX); i++) {
      line.append("\n\tat ").append(frames[i]);
    }
  }

  /**
   * Appends a text with line ends and control characters escaped, so that a client's text cannot
   * look like a line of ours; for JSON, in the form that goes between quotation marks.
   */
  static void append(StringBuilder line, String text, boolean isJson) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isJson && (c == '"' || c == '\\')) {
        line.append('\\').append(c);
      } else if (c == '\n') {
        line.append("\\n");
      } else if (Character.isISOControl(c) || (isJson && Character.isSurrogate(c))) {
        // Half of a surrogate pair has no UTF-8; escaped in JSON, two halves form the character
        // again.
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
  }

  /** The level's usual name. */
  static String name(Level level) {
    int value = level.intValue();
    if (value >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (value >= Level.WARNING.intValue()) {
      return "WARN";
    }
    if (value >= Level.INFO.intValue()) {
      return "INFO";
    }
    return value >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
  }
}
