package gilmok.runtime;

import gilmok.config.Settings;
import gilmok.observe.Logging;

/**
 * The keys {@code logging.*}: what the server logs on standard error. They are read here because
 * {@code observe} imports nothing.
 *
 * @param level the lowest level that is written
 * @param format the format of lines
 */
public record LoggingConfig(Gravity level, Logging.Format format) {
  /** The levels of lines: those of the JDK's that are used. */
  public enum Gravity {
    ERROR,
    WARNING,
    INFO,
    DEBUG,
    TRACE
  }

  /** Reads the keys. */
  public static LoggingConfig from(Settings settings) {
    return new LoggingConfig(
        settings.choice("logging.level", Gravity.INFO),
        settings.choice("logging.format", Logging.Format.TEXT));
  }

  /** Applies these settings to the process's log. */
  public void applyTo(Logging logging) {
    logging.show(System.Logger.Level.valueOf(level.name()), format);
  }
}
