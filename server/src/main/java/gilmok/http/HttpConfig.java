package gilmok.http;

import gilmok.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the HTTP edge: where it listens, and its limits. Immutable.
 *
 * @param port where to listen; 0 takes a free one
 * @param eventLoops threads that read, parse and answer; 0 is one a processor
 * @param tls null without TLS
 * @param corsOrigins the origins whose pages may call the API; {@code *} is all; empty turns CORS
 *     off
 * @param proxies the proxies that are trusted to name their clients; clients are assumed to reach
 *     them over a secured connection
 * @param compressionLevels how hard answers are compressed
 */
public record HttpConfig(
    String host,
    int port,
    int eventLoops,
    Transport transport,
    Limits limits,
    @Nullable TlsConfig tls,
    List<String> corsOrigins,
    TrustedProxies proxies,
    CompressionLevels compressionLevels) {

  /**
   * The limits.
   *
   * @param connectionsMax connections at once; more are closed as soon as they are accepted
   * @param requestsMax requests in flight at once
   * @param bodiesBytesMax bytes of bodies being read or in flight at once
   * @param headTimeout how long the head of a request may take from its first byte
   * @param bodyTimeout how long a body may take, and how long a client may leave an answer unread
   * @param idleTimeout how long a connection is kept without a request
   * @param wrongKeysRate how many wrong keys a second one address may send; 0: any number
   * @param queueDelayTarget how long requests may wait for their event loop; zero: however long
   */
  public record Limits(
      int connectionsMax,
      int requestsMax,
      long bodiesBytesMax,
      Duration headTimeout,
      Duration bodyTimeout,
      Duration idleTimeout,
      int wrongKeysRate,
      Duration queueDelayTarget) {

    /** Those of a server that asks itself: it may be slow, and send wrong keys. */
    private Limits ofItself() {
      return new Limits(
          connectionsMax,
          requestsMax,
          bodiesBytesMax,
          headTimeout,
          bodyTimeout,
          idleTimeout,
          0,
          Duration.ZERO);
    }
  }

  private static final Pattern ORIGIN =
      Pattern.compile("https?://([a-z0-9._-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

  /** How sockets are driven. */
  public enum Transport {
    /** Epoll where it is available, else NIO. */
    AUTO,
    EPOLL,
    NIO
  }

  /** Reads the keys {@code http.*} and {@code tls.*}. */
  public static HttpConfig from(Settings settings) {
    return new HttpConfig(
        settings.text("http.host", "127.0.0.1"),
        settings.number("http.port", 8080, 0, 65535),
        settings.number("http.event-loops", 0, 0, 1024),
        settings.choice("http.transport", Transport.AUTO),
        limits(settings),
        TlsConfig.from(settings),
        origins(settings),
        TrustedProxies.from(settings),
        CompressionLevels.from(settings));
  }

  private static Limits limits(Settings settings) {
    Duration second = Duration.ofSeconds(1);
    Duration hour = Duration.ofHours(1);
    return new Limits(
        settings.number("http.connections-max", 10_000, 1, 1_000_000),
        settings.number("http.requests-max", 4096, 1, 1_000_000),
        // Room for at least one body of the largest kind, at the share that traces have.
        settings.bytes("http.bodies-bytes-max", "64 MiB", 8 << 20, 1L << 40),
        settings.duration("http.head-timeout", "10 s", second, hour),
        settings.duration("http.body-timeout", "30 s", second, hour),
        settings.duration("http.idle-timeout", "75 s", second, hour),
        settings.number("http.wrong-keys-rate", 10, 0, 1_000_000),
        settings.duration(
            "http.queue-delay-target", "25 ms", Duration.ofMillis(1), Duration.ofMinutes(1)));
  }

  /** The origins as browsers send them: in lower case, without a path and a usual port. */
  private static List<String> origins(Settings settings) {
    List<String> origins = settings.words("http.cors-origins");
    for (String origin : origins) {
      boolean isUsual =
          (origin.startsWith("http:") && origin.endsWith(":80"))
              || (origin.startsWith("https:") && origin.endsWith(":443"));
      if (!origin.equals("*") && (isUsual || !ORIGIN.matcher(origin).matches())) {
        settings.problem(
            "http.cors-origins: \""
                + origin
                + "\" is no origin as browsers send it, as in https://fleet.example or *");
      }
    }
    return origins;
  }

  /**
   * The security risk of these settings, for the operator; null when there is none. At any address
   * but loopback, traffic without TLS can be overheard on the way, including the key.
   */
  public @Nullable String risk() {
    if (tls != null || !proxies.isEmpty() || isLoopback(host)) {
      return null;
    }
    return "http.host is "
        + host
        + ", and neither TLS nor a proxy is set: keys and positions go over the network in clear;"
        + " set tls.certificate and tls.key, or http.trusted-proxies where a proxy in front ends"
        + " TLS; see docs/running.md";
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException name) {
      return host.equals("localhost");
    }
  }

  /**
   * The same settings for the operators' listener: another address and port, one event loop, no
   * TLS.
   */
  public HttpConfig forOperators(String operateHost, int operatePort) {
    return at(operateHost, operatePort, 1, limits, null);
  }

  /**
   * The same settings for a free port on loopback, without a limit on wrong keys: there a server
   * asks itself.
   *
   * @param overTls whether with this server's TLS, if it has one; without it otherwise
   */
  public HttpConfig onLoopback(boolean overTls) {
    Limits unlimited = limits.ofItself();
    return at("127.0.0.1", 0, eventLoops, unlimited, overTls ? tls : null);
  }

  private HttpConfig at(
      String otherHost, int otherPort, int loops, Limits limits, @Nullable TlsConfig tls) {
    return new HttpConfig(
        otherHost, otherPort, loops, transport, limits, tls, List.of(), proxies, compressionLevels);
  }

  /** The PEM file of the certificate; null without TLS. */
  public @Nullable Path certificate() {
    return tls == null ? null : tls.certificate();
  }

  /**
   * Checks whether the certificate and the key, if any, can be used, which only their files can
   * tell.
   *
   * @throws IOException when they cannot; the message says why
   */
  public void checkFiles() throws IOException {
    if (tls != null) {
      TlsFiles.check(tls);
    }
  }

  int loops() {
    return eventLoops > 0 ? eventLoops : Runtime.getRuntime().availableProcessors();
  }
}
