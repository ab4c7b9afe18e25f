package gilmok.redis;

import gilmok.config.Settings;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of Redis, its timeouts and limits. {@link #toString} never shows the address, as it
 * holds the password. Immutable.
 *
 * @param url {@code redis://user:password@host:6379/0}, {@code rediss://} for TLS; null when there
 *     is no Redis
 * @param isCluster whether it is a cluster; then {@code url} can name any of its nodes, several
 *     separated by commas
 * @param connectTimeout how long connecting may take
 * @param commandTimeout how long an answer may take; after that the connection is dropped
 * @param requestsMax most commands in flight on one connection; more are refused
 * @param prefix the prefix of all keys
 */
public record RedisConfig(
    @Nullable String url,
    boolean isCluster,
    Duration connectTimeout,
    Duration commandTimeout,
    int requestsMax,
    String prefix) {
  /**
   * The least {@code requestsMax} that can be set: as many commands as the largest batch of a sink
   * has.
   */
  public static final int REQUESTS_MIN = 8192;

  /** Reads the keys {@code redis.*}. */
  public static RedisConfig from(Settings settings) {
    RedisConfig config =
        new RedisConfig(
            settings.secret("redis.url"),
            settings.flag("redis.cluster", false),
            settings.duration(
                "redis.connect-timeout", "5 s", Duration.ofMillis(10), Duration.ofMinutes(1)),
            settings.duration(
                "redis.command-timeout", "5 s", Duration.ofMillis(10), Duration.ofMinutes(1)),
            settings.number("redis.requests-max", 16_384, REQUESTS_MIN, 1_000_000),
            settings.text("redis.prefix", "gilmok"));
    if (!config.prefix.matches("[A-Za-z0-9._:-]{1,64}")) {
      settings.problem("redis.prefix: must be 1 to 64 letters, digits, dots, dashes, colons");
    }
    if (config.url != null) {
      try {
        config.uris();
      } catch (RuntimeException unreadable) { // its message may hold the password
        settings.problem(
            "redis.url: must look like redis://user:password@host:6379/0, or rediss:// for TLS");
      }
    }
    return config;
  }

  /** The same configuration for another address; null for no Redis. */
  public RedisConfig at(@Nullable String other) {
    return new RedisConfig(other, isCluster, connectTimeout, commandTimeout, requestsMax, prefix);
  }

  /** The same configuration with {@code :word} added to the prefix, so that its keys are apart. */
  public RedisConfig below(String word) {
    String own = prefix + ":" + word;
    return new RedisConfig(url, isCluster, connectTimeout, commandTimeout, requestsMax, own);
  }

  /** The addresses to connect to first; exactly one, unless it is a cluster. */
  List<RedisURI> uris() {
    String given = url;
    if (given == null) {
      throw new IllegalStateException("redis.url is not set");
    }
    List<RedisURI> uris =
        isCluster
            ? RedisClusterURIUtil.toRedisURIs(URI.create(given))
            : List.of(RedisURI.create(given));
    for (RedisURI uri : uris) {
      uri.setTimeout(commandTimeout);
      uri.setClientName("gilmok");
    }
    return uris;
  }

  /** The addresses for messages: {@code host:port} each, without user or password. */
  String address() {
    return uris().stream().map(RedisConfig::address).distinct().collect(Collectors.joining(","));
  }

  private static String address(RedisURI uri) {
    if (!uri.getSentinels().isEmpty()) {
      return uri.getSentinels().stream().map(RedisConfig::address).collect(Collectors.joining(","));
    }
    return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket();
  }

  /** The password, both as written in the address and decoded; empty when there is none. */
  List<String> secrets() {
    String authority = url == null ? null : URI.create(url).getRawAuthority();
    int end = authority == null ? -1 : authority.lastIndexOf('@');
    if (authority == null || end < 0) {
      return List.of();
    }
    String password = authority.substring(authority.lastIndexOf(':', end) + 1, end);
    String meant = URLDecoder.decode(password, StandardCharsets.UTF_8);
    return password.isEmpty() ? List.of() : List.of(password, meant);
  }

  @Override
  public String toString() {
    return "RedisConfig[url=" + (url == null ? "none" : "********") + ", prefix=" + prefix + "]";
  }
}
