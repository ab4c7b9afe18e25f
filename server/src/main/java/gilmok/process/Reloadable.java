package gilmok.process;

import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Which settings a reload applies; all others take effect at the next start. No state. */
public final class Reloadable {
  /** By what each is taken up, see {@link Adjustables} and {@link Reload}. */
  private static final Set<String> KEYS =
      Set.of(
          "tls.certificate",
          "tls.key",
          "logging.level",
          "logging.format",
          "auth.rate",
          "relay.timeout",
          "relay.concurrency-max",
          "relay.retry-min",
          "relay.retry-max",
          "relay.give-up-after",
          "relay.secret-overlap");

  /** What of a sink can be tuned while it runs. */
  private static final Pattern OF_SINKS =
      Pattern.compile(
          "sinks\\.[^.]+\\.(batch-records-max|batch-bytes-max|batch-age-max|max-concurrency)");

  private static final Set<String> TLS = Set.of("tls.certificate", "tls.key");

  private Reloadable() {}

  /** Whether a reload applies this key. */
  public static boolean has(String key) {
    return KEYS.contains(key) || OF_SINKS.matcher(key).matches();
  }

  /**
   * Whether a reload applies this key's change from one of these settings to the other: a sink that
   * is not there yet has to be made, and TLS is switched on or off at a start only.
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
