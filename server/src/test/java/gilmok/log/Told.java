package gilmok.log;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Catches what the log logs at WARNING and above, and keeps it from other handlers until closed.
 */
public final class Told extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new ArrayList<>();

  Told() {
    this("gilmok.log");
  }

  /** Catches what that logger is given. */
  public Told(String name) {
    logger = Logger.getLogger(name);
    logger.setUseParentHandlers(false);
    logger.addHandler(this);
  }

  @Override
  public synchronized void publish(LogRecord record) {
    if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
      lines.add(new SimpleFormatter().formatMessage(record));
    }
  }

  /** The messages so far. */
  public synchronized List<String> lines() {
    return lines;
  }

  /** The lines that do not speak of a folder of this machine, which other tests use meanwhile. */
  synchronized List<String> linesOfNoRealFolder() {
    return lines.stream().filter(line -> !line.contains("/tmp/")).toList();
  }

  @Override
  public void flush() {
    // Nothing is buffered.
  }

  @Override
  public void close() {
    logger.setUseParentHandlers(true);
    logger.removeHandler(this);
  }
}
