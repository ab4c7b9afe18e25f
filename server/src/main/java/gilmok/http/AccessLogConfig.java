package gilmok.http;

import gilmok.config.Settings;

/**
 * The key {@code logging.access-every}.
 *
 * @param every one of so many requests has a line in the log; 0 for none
 */
public record AccessLogConfig(int every) {
  /** No request has a line. */
  public static final AccessLogConfig OFF = new AccessLogConfig(0);

  private static final int EVERY_MAX = 1_000_000;

  /** Reads the key. */
  public static AccessLogConfig from(Settings settings) {
    return new AccessLogConfig(settings.number("logging.access-every", 0, 0, EVERY_MAX));
  }
}
