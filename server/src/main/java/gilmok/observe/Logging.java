package gilmok.observe;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The process's log: one line a message on standard error, written by a thread of its own, so that
 * logging never blocks a request. To be started first thing in {@code main}, before anything asks
 * for a logger.
 */
public final class Logging implements AutoCloseable {
  private static final int LINES_MAX = 4096;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final String OURS = "gilmok";

  /** How lines look. */
  public enum Format {
    /** For people. */
    TEXT,
    /** One JSON object a line, for what gathers logs. */
    JSON
  }

  private final LogQueue queue;
  private final Logger root;

  /** Held, as the JDK would forget it and its level. */
  private final Logger ours;

  /**
   * Starts it.
   *
   * @param level the least grave that is written of ours; of libraries, INFO or this
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
   * From now on these are written, and look so. From any thread.
   *
   * @param level the least grave that is written of ours; of libraries, INFO or this
   */
  public void show(System.Logger.Level level, Format format) {
    queue.lines(format == Format.JSON ? new JsonLine() : new LogLine());
    Level asked = jul(level);
    root.setLevel(asked.intValue() > Level.INFO.intValue() ? asked : Level.INFO);
    ours.setLevel(asked);
  }

  /** Writes what waits, for at most a second, and ends. The last thing a process does. */
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
