package gilmok.http;

import gilmok.config.Settings;

/**
 * The keys {@code operate.*}: an address where health and metrics need no key.
 *
 * @param host to listen at
 * @param port 0 for no such address
 */
public record OperateConfig(String host, int port) {
  /** Health and metrics are at the main address alone. */
  public static final OperateConfig NOWHERE = new OperateConfig("127.0.0.1", 0);

  /** Reads the keys. */
  public static OperateConfig from(Settings settings) {
    return new OperateConfig(
        settings.text("operate.host", NOWHERE.host),
        settings.number("operate.port", NOWHERE.port, 0, 65535));
  }
}
