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

/** A connection to a Redis on loopback, and what it says of itself. Thread-safe; calls block. */
final class RedisDesk implements AutoCloseable {
  private final Redis redis;
  private final RedisConnection connection;

  /**
   * @param port of loopback
   */
  RedisDesk(int port) {
    redis = new Redis(RedisConfig.from(new Settings(Map.of("redis.url", url(port)))));
    connection = redis.connection();
  }

  /** A Redis' address. */
  static String url(int port) {
    return "redis://127.0.0.1:" + port + "/0";
  }

  RedisConnection connection() {
    return connection;
  }

  /** How many bytes have gone to it and from it; NaN when it does not answer. */
  double bytes() throws InterruptedException {
    RedisCall info = RedisCall.of("INFO", List.of(), List.of(RedisCall.utf8("stats")));
    return connection.exchange(List.of(info)).getFirst() instanceof RedisReply.Bytes bytes
        ? bytes(new String(bytes.value(), StandardCharsets.UTF_8))
        : Double.NaN;
  }

  /**
   * The same, as Redis tells it.
   *
   * @param info what {@code INFO stats} answers
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
          // Not asked for.
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
