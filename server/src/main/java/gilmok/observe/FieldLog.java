package gilmok.observe;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * A logger whose lines have fields: members of the object where lines are JSON, {@code name=value}
 * behind the message where they are text. There are many of them, so they fill at most half of the
 * log's queue, and never keep another line out. Thread-safe; logging does not block.
 */
public final class FieldLog {
  private final Logger logger;

  /**
   * A field of a line.
   *
   * @param value a number, which stays one in JSON, or anything with a text
   */
  public record Field(String name, Object value) {}

  /** A line with fields. */
  static final class FieldRecord extends LogRecord {
    private static final long serialVersionUID = 1L;
    private final transient List<Field> fields;

    FieldRecord(Level level, String message, List<Field> fields) {
      super(level, message);
      this.fields = List.copyOf(fields);
    }

    List<Field> fields() {
      return fields;
    }
  }

  /** The logger of that name. */
  public FieldLog(String name) {
    logger = Logger.getLogger(name);
  }

  /** Logs a line of the level INFO. */
  public void info(String message, List<Field> fields) {
    if (logger.isLoggable(Level.INFO)) {
      FieldRecord record = new FieldRecord(Level.INFO, message, fields);
      record.setLoggerName(logger.getName());
      logger.log(record);
    }
  }

  /** The fields of a record; none of one without. */
  static List<Field> of(LogRecord record) {
    return record instanceof FieldRecord known ? known.fields() : List.of();
  }
}
