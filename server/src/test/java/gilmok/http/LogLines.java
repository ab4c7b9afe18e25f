package gilmok.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Catches all that the process logs at INFO and above: tests assert that it is nothing. */
public final class LogLines extends Handler implements AutoCloseable {
  private final Logger root = Logger.getLogger("");
  private final SimpleFormatter format = new SimpleFormatter();
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** Catches from now on. */
  public LogLines() {
    root.addHandler(this);
  }

  /** What was logged so far. */
  public List<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord record) {
    // Lines of the JDK's own client and servers, which some tests use, do not count.
    if (record.getLevel().intValue() >= Level.INFO.intValue()
        && !String.valueOf(record.getLoggerName()).startsWith("jdk.")) {
      lines.add(
          record.getLoggerName() + ": " + format.formatMessage(record) + " " + record.getThrown());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    root.removeHandler(this);
  }
}
