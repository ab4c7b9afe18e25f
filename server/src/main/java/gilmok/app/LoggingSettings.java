package gilmok.app;

import gilmok.config.Settings;
import gilmok.observe.Logging;

/**
 * The keys {@code logging.*}: what the server says of itself on standard error. They are read here
 * because {@code observe} imports nothing.
 *
 * @param level the least grave that is written
 * @param format how a line looks
 */
record LoggingSettings(Gravity level, Logging.Format format) {
  /** How grave a line is; of the JDK's levels those that lines have. */
  enum Gravity {
    ERROR,
    WARNING,
    INFO,
    DEBUG,
    TRACE
  }

  /** Asks for the keys. */
  static LoggingSettings from(Settings settings) {
    return new LoggingSettings(
        settings.choice("logging.level", Gravity.INFO),
        settings.choice("logging.format", Logging.Format.TEXT));
  }

  /** From now on the process's log is so. */
  void applyTo(Logging logging) {
    logging.show(System.Logger.Level.valueOf(level.name()), format);
  }
}
