package gilmok.deliveries.relay;

import gilmok.config.Settings;
import gilmok.http.Networks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Limits and times of the relay. A running relay follows changes of {@code timeout}, {@code
 * concurrencyMax}, {@code retry} and {@code secretOverlap} from the next call on; the others are
 * fixed at its start. Immutable.
 *
 * @param addresses where webhooks may go, and whom to trust there
 * @param timeout how long a partner may take to answer
 * @param connectTimeout how much of that connecting may take
 * @param concurrencyMax most calls to one partner at a time
 * @param secretOverlap how long a replaced secret still signs
 * @param pollInterval how often each shard is polled without a hint
 * @param lease how long a node holds a shard without renewing its lease
 */
public record RelayConfig(
    Addresses addresses,
    Duration timeout,
    Duration connectTimeout,
    int concurrencyMax,
    Retry retry,
    Duration secretOverlap,
    Duration pollInterval,
    Duration lease,
    Breaker breaker) {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * Where webhooks may go beside public addresses over TLS.
   *
   * @param privateNetworks {@code relay.private-networks}: networks of the operator's own, to which
   *     they may go over plain http, too
   * @param trust {@code relay.ca}: the authorities of a PEM file, and the JDK's; null for the JDK's
   *     alone
   */
  public record Addresses(Networks privateNetworks, @Nullable X509TrustManager trust) {
    private static Addresses from(Settings settings) {
      String ca = settings.optionalText("relay.ca");
      X509TrustManager trust = null;
      try {
        trust = ca == null ? null : PartnerTrust.beside(Path.of(ca));
      } catch (IOException unusable) {
        settings.problem("relay.ca: " + unusable.getMessage());
      }
      Networks networks = Networks.NONE;
      try {
        networks = Networks.of(settings.words("relay.private-networks"));
      } catch (IllegalArgumentException none) {
        settings.problem("relay.private-networks: " + none.getMessage());
      }
      return new Addresses(networks, trust);
    }
  }

  /**
   * When a failed call is retried.
   *
   * @param min the pause after the first failure; it doubles with each further one
   * @param max the longest pause
   * @param giveUpAfter how long after its first failure an event becomes a dead letter
   */
  public record Retry(Duration min, Duration max, Duration giveUpAfter) {}

  /**
   * The settings of a partner's circuit breaker.
   *
   * @param window the time over which calls are counted
   * @param pause how long it stays open before it lets a few calls through; and how often a partner
   *     that fails is tried, whatever the retries' own pauses
   */
  public record Breaker(Duration window, Duration pause) {}

  /** The same settings, with webhooks to this machine alone: there a server tells itself. */
  public RelayConfig onLoopback() {
    Networks loopback = Networks.of(List.of("127.0.0.1"));
    return new RelayConfig(
        new Addresses(loopback, addresses.trust),
        timeout,
        connectTimeout,
        concurrencyMax,
        retry,
        secretOverlap,
        pollInterval,
        lease,
        breaker);
  }

  /** Reads the keys {@code relay.*}. */
  public static RelayConfig from(Settings settings) {
    Duration minute = Duration.ofMinutes(1);
    RelayConfig config =
        new RelayConfig(
            Addresses.from(settings),
            settings.duration("relay.timeout", "15 s", Duration.ofMillis(10), minute),
            settings.duration("relay.connect-timeout", "5 s", Duration.ofMillis(10), minute),
            settings.number("relay.concurrency-max", 8, 1, 256),
            new Retry(
                settings.duration("relay.retry-min", "500 ms", MILLI, HOUR),
                settings.duration("relay.retry-max", "1 h", MILLI, Duration.ofHours(24)),
                settings.duration(
                    "relay.give-up-after", "24 h", Duration.ofSeconds(1), Duration.ofDays(30))),
            settings.duration("relay.secret-overlap", "24 h", Duration.ZERO, Duration.ofDays(30)),
            settings.duration("relay.poll-interval", "1 s", Duration.ofMillis(10), minute),
            settings.duration("relay.lease", "60 s", Duration.ofSeconds(1), HOUR),
            new Breaker(
                settings.duration("relay.breaker-window", "1 min", Duration.ofSeconds(1), HOUR),
                settings.duration("relay.breaker-pause", "5 s", Duration.ofMillis(10), HOUR)));
    if (config.lease.compareTo(config.timeout.multipliedBy(3)) < 0) {
      settings.problem("relay.lease: must be at least three times relay.timeout");
    }
    if (config.retry.max.compareTo(config.retry.min) < 0) {
      settings.problem("relay.retry-max: is shorter than relay.retry-min");
    }
    return config;
  }
}
