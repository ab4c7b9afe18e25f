package gilmok.privacy;

import gilmok.config.Settings;
import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The settings {@code privacy.*}. Immutable.
 *
 * @param pseudonymSecret {@code privacy.pseudonym-secret}: makes riders' pseudonyms, the same on
 *     all nodes; empty for a secret of this node's own
 * @param consentsMax {@code privacy.consents-max}: how many riders can withhold something at once
 * @param hasRegister {@code privacy.register}: whether the register is kept
 * @param registerRetention {@code privacy.register-retention}: how long its rows are kept
 * @param waitingBytesMax {@code privacy.register-waiting-max}: of rows that are not in the
 *     documents
 * @param bases {@code privacy.basis} and {@code privacy.USE-basis}
 * @param zone {@code fleet.zone}: the zone of the days by which what was collected is counted
 */
public record PrivacyConfig(
    String pseudonymSecret,
    int consentsMax,
    boolean hasRegister,
    Duration registerRetention,
    long waitingBytesMax,
    Bases bases,
    ZoneId zone) {
  private static final int SECRET_CHARS_MIN = 16;

  /** Six months, which Korea's location law wants. */
  private static final Duration RETENTION_OF_KOREA = Duration.ofDays(183);

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return ("PrivacyConfig[consentsMax=%s, hasRegister=%s, registerRetention=%s,"
            + " waitingBytesMax=%s, bases=%s, zone=%s]")
        .formatted(consentsMax, hasRegister, registerRetention, waitingBytesMax, bases, zone);
  }

  /** Reads them. */
  public static PrivacyConfig from(Settings settings) {
    String said = settings.secret("privacy.pseudonym-secret");
    String secret = said == null ? "" : said;
    if (!secret.isEmpty() && secret.length() < SECRET_CHARS_MIN) {
      settings.problem(
          "privacy.pseudonym-secret: has less than " + SECRET_CHARS_MIN + " characters");
    }
    return new PrivacyConfig(
        secret,
        settings.number("privacy.consents-max", 5_000_000, 1, 20_000_000),
        settings.flag("privacy.register", true),
        settings.duration(
            "privacy.register-retention", "400 d", Duration.ofDays(1), Duration.ofDays(36_500)),
        settings.bytes("privacy.register-waiting-max", "256 MiB", 1 << 20, 1L << 40),
        Bases.from(settings),
        settings.zone("fleet.zone", "Asia/Seoul"));
  }

  /** What the settings risk, in words for the operator; null for nothing. */
  public @Nullable String risk() {
    return hasRegister && registerRetention.compareTo(RETENTION_OF_KOREA) < 0
        ? "privacy.register-retention is "
            + registerRetention.toDays()
            + " d: Korea's location law wants six months (183 d) at least"
        : null;
  }

  /** The settings of the shadow server of a warm-up: a secret of its own. */
  public PrivacyConfig ofShadow() {
    return new PrivacyConfig(
        "", consentsMax, hasRegister, registerRetention, waitingBytesMax, bases, zone);
  }
}
