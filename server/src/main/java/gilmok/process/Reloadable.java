package gilmok.process;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The settings that a reload applies; all others take effect at the next start. Stateless. */
public final class Reloadable {
  /** The keys that {@link gilmok.app.Adjustables} and {@link Reload} apply. */
  private static final Set<String> KEYS =
      Set.of(
          "tls.certificate",
          "tls.key",
          "logging.level",
          "logging.format",
          "logging.access-every",
          "operate.flight-recorder",
          "tracing.endpoint",
          "tracing.authorization",
          "tracing.authorization-file",
          "tracing.sample-every",
          "tracing.slow",
          "map.tiles-file",
          "map.attribution",
          "auth.rate",
          "deliveries.keep",
          "statements.keep",
          "missions.keep",
          "relay.timeout",
          "relay.concurrency-max",
          "relay.retry-min",
          "relay.retry-max",
          "relay.give-up-after",
          "relay.secret-overlap");

  /** The settings of a sink that can be changed while it runs. */
  private static final Pattern OF_SINKS =
      Pattern.compile(
          "sinks\\.[^.]+\\.(batch-records-max|batch-bytes-max|batch-age-max|max-concurrency)");

  private static final Set<String> TLS = Set.of("tls.certificate", "tls.key");

  private Reloadable() {}

  /** Whether a reload applies a key. */
  public static boolean has(String key) {
    return KEYS.contains(key) || OF_SINKS.matcher(key).matches();
  }

  /**
   * Whether a reload applies the change of a key. A sink that does not exist yet would have to be
   * made, and TLS can be switched on or off only at a start: those changes wait.
   */
  static boolean has(String key, Map<String, String> before, Map<String, String> wanted) {
    return has(key)
        && before.containsKey(key)
        && wanted.containsKey(key)
        && (!TLS.contains(key) || isTls(before) == isTls(wanted));
  }

  private static boolean isTls(Map<String, String> settings) {
    return !settings.getOrDefault("tls.certificate", "").isEmpty();
  }
}
