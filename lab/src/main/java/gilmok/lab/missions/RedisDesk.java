package gilmok.lab.missions;

import gilmok.config.Settings;
import gilmok.redis.Redis;
import gilmok.redis.RedisCall;
import gilmok.redis.RedisConfig;
import gilmok.redis.RedisConnection;
import gilmok.redis.RedisReply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A connection to a Redis on loopback, for its statistics. Thread-safe; calls block. */
final class RedisDesk implements AutoCloseable {
  private final Redis redis;
  private final RedisConnection connection;

  /**
   * A connection that is opened later.
   *
   * @param port the port of loopback
   */
  RedisDesk(int port) {
    redis = new Redis(RedisConfig.from(new Settings(Map.of("redis.url", url(port)))));
    connection = redis.connection();
  }

  /** The URL of a Redis. */
  static String url(int port) {
    return "redis://127.0.0.1:" + port + "/0";
  }

  RedisConnection connection() {
    return connection;
  }

  /** The bytes sent to and from Redis so far; NaN if it does not answer. */
  double bytes() throws InterruptedException {
    RedisCall info = RedisCall.of("INFO", List.of(), List.of(RedisCall.utf8("stats")));
    return connection.exchange(List.of(info)).getFirst() instanceof RedisReply.Bytes bytes
        ? bytes(new String(bytes.value(), StandardCharsets.UTF_8))
        : Double.NaN;
  }

  /**
   * The same, from Redis' own statistics.
   *
   * @param info the response to {@code INFO stats}
   */
  static double bytes(String info) {
    double in = Double.NaN;
    double out = Double.NaN;
    for (String line : info.lines().toList()) {
      int colon = line.indexOf(':');
      switch (colon < 0 ? "" : line.substring(0, colon)) {
        case "total_net_input_bytes" -> in = Double.parseDouble(line.substring(colon + 1));
        case "total_net_output_bytes" -> out = Double.parseDouble(line.substring(colon + 1));
        default -> {
          // A response that was not requested.
        }
      }
    }
    return in + out;
  }

  @Override
  public void close() {
    connection.close();
    redis.close();
  }
}
