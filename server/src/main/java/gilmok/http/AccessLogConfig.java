package gilmok.http;

import gilmok.config.Settings;

/**
 * The key {@code logging.access-every}.
 *
 * @param every one of so many requests has a line in the log; 0 for none
 * @param isWritten whether lines are written; if not, they are only made
 */
public record AccessLogConfig(int every, boolean isWritten) {

  private static final int EVERY_MAX = 1_000_000;

  /** Reads the key. */
  public static AccessLogConfig from(Settings settings) {
    return new AccessLogConfig(settings.number("logging.access-every", 0, 0, EVERY_MAX), true);
  }

  /** The same without a line: the warm-up's requests are for the compiler alone. */
  public AccessLogConfig ofShadow() {
    return new AccessLogConfig(every, false);
  }
}
