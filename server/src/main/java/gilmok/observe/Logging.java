package gilmok.observe;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The process's log: one line a message on standard error, written by a thread of its own, so that
 * logging never blocks a request. Start it first in {@code main}, before any logger is made.
 */
public final class Logging implements AutoCloseable {
  private static final int LINES_MAX = 4096;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String OURS = "gilmok";

  /** The format of lines. */
  public enum Format {
    /** Text for people. */
    TEXT,
    /** One JSON object a line, for log collectors. */
    JSON
  }

  private final LogQueue queue;
  private final Logger root;

  /** A strong reference: otherwise the JDK would forget the logger and its level. */
  private final Logger ours;

  /**
   * Starts the log.
   *
   * @param level the lowest level of our own lines; for libraries, at least INFO
   */
  public static Logging start(System.Logger.Level level) {
    System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
    return new Logging(level);
  }

  private Logging(System.Logger.Level level) {
    root = Logger.getLogger("");
    ours = Logger.getLogger(OURS);
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    queue =
        new LogQueue(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.err), BUFFER_BYTES),
                LINES_MAX)
            .start();
    show(level, Format.TEXT);
    root.addHandler(queue);
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(queue::flush));
  }

  /**
   * Sets the level and the format from now on. From any thread.
   *
   * @param level the lowest level of our own lines; for libraries, at least INFO
   */
  public void show(System.Logger.Level level, Format format) {
    queue.lines(format == Format.JSON ? new JsonLine() : new LogLine());
    Level asked = jul(level);
    root.setLevel(asked.intValue() > Level.INFO.intValue() ? asked : Level.INFO);
    ours.setLevel(asked);
  }

  /** Shows how many lines there were, of which level. */
  public void show(Meters meters) {
    queue.show(meters);
  }

  /**
   * Writes what waits, for at most a second, and ends. Must be the last thing that a process does.
   */
  @Override
  public void close() {
    queue.close();
    ours.setLevel(Level.OFF);
  }

  private static Level jul(System.Logger.Level level) {
    return switch (level) {
      case ALL, TRACE -> Level.ALL;
      case DEBUG -> Level.FINE;
      case INFO -> Level.INFO;
      case WARNING -> Level.WARNING;
      case ERROR -> Level.SEVERE;
      case OFF -> Level.OFF;
    };
  }
}
