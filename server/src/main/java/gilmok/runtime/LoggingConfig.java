package gilmok.runtime;

import gilmok.config.Settings;
import gilmok.observe.Logging;

/**
 * The keys {@code logging.*}: what the server says of itself on standard error. They are read here
 * because {@code observe} imports nothing.
 *
 * @param level the least grave that is written
 * @param format how a line looks
 */
public record LoggingConfig(Gravity level, Logging.Format format) {
  /** How grave a line is; of the JDK's levels those that lines have. */
  public enum Gravity {
    ERROR,
    WARNING,
    INFO,
    DEBUG,
    TRACE
  }

  /** Asks for the keys. */
  public static LoggingConfig from(Settings settings) {
    return new LoggingConfig(
        settings.choice("logging.level", Gravity.INFO),
        settings.choice("logging.format", Logging.Format.TEXT));
  }

  /** From now on the process's log is so. */
  public void applyTo(Logging logging) {
    logging.show(System.Logger.Level.valueOf(level.name()), format);
  }
}
