package gilmok.observe;

import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Formats log records as JSON, one object a line, for log collectors: {@code time} (RFC 3339, UTC),
 * {@code level}, {@code logger}, {@code message}, the fields of a line that has some, and, for an
 * exception, {@code thrown}, the stack trace. Thread-safe.
 */
final class JsonLine extends Formatter {
  @Override
  public String format(LogRecord record) {
    StringBuilder line = new StringBuilder(192);
    line.append("{\"time\":\"");
    LogLine.TIME.formatTo(record.getInstant(), line);
    line.append("\",\"level\":\"").append(LogLine.name(record.getLevel()));
    member(line.append('"'), "logger", String.valueOf(record.getLoggerName()));
    member(line, "message", String.valueOf(formatMessage(record)));
    for (FieldLog.Field field : FieldLog.of(record)) {
      if (field.value() instanceof Number number) {
        line.append(",\"").append(field.name()).append("\":").append(number);
      } else {
        member(line, field.name(), field.value().toString());
      }
    }
    Throwable thrown = record.getThrown();
    if (thrown != null) {
      StringBuilder trace = new StringBuilder();
      LogLine.appendTrace(trace, thrown);
      member(line, "thrown", trace.toString());
    }
    return line.append("}\n").toString();
  }

  private static void member(StringBuilder line, String name, String text) {
    line.append(",\"").append(name).append("\":\"");
    LogLine.append(line, text, true);
    line.append('"');
  }
}
