package gilmok.privacy;

import gilmok.config.Settings;
import java.time.Duration;
import java.time.ZoneId;

/**
 * The settings {@code privacy.*}. Immutable.
 *
 * @param pseudonymSecret {@code privacy.pseudonym-secret}: makes riders' pseudonyms, the same on
 *     all nodes; empty for a secret of this node's own
 * @param consentsMax {@code privacy.consents-max}: how many riders can withhold something at once
 * @param hasRegister {@code privacy.register}: whether the register is kept
 * @param registerRetention {@code privacy.register-retention}: how long its rows are kept
 * @param basis {@code privacy.basis}: on which locations are collected and shown
 * @param zone {@code fleet.zone}: the zone of the days by which what was collected is counted
 */
public record PrivacyConfig(
    String pseudonymSecret,
    int consentsMax,
    boolean hasRegister,
    Duration registerRetention,
    String basis,
    ZoneId zone) {
  private static final int SECRET_CHARS_MIN = 16;
  private static final int BASIS_CHARS_MAX = 64;

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "PrivacyConfig[consentsMax=%s, hasRegister=%s, registerRetention=%s, basis=%s, zone=%s]"
        .formatted(consentsMax, hasRegister, registerRetention, basis, zone);
  }

  /** Reads them. */
  public static PrivacyConfig from(Settings settings) {
    String said = settings.secret("privacy.pseudonym-secret");
    String secret = said == null ? "" : said;
    if (!secret.isEmpty() && secret.length() < SECRET_CHARS_MIN) {
      settings.problem(
          "privacy.pseudonym-secret: has less than " + SECRET_CHARS_MIN + " characters");
    }
    String basis = settings.text("privacy.basis", "contract");
    if (basis.isBlank() || basis.length() > BASIS_CHARS_MAX) {
      settings.problem("privacy.basis: needs 1 to " + BASIS_CHARS_MAX + " characters");
    }
    return new PrivacyConfig(
        secret,
        settings.number("privacy.consents-max", 5_000_000, 1, 20_000_000),
        settings.flag("privacy.register", true),
        settings.duration(
            "privacy.register-retention", "400 d", Duration.ofDays(183), Duration.ofDays(36_500)),
        basis,
        settings.zone("fleet.zone", "Asia/Seoul"));
  }

  /** The settings of the shadow server of a warm-up: a secret of its own. */
  public PrivacyConfig ofShadow() {
    return new PrivacyConfig("", consentsMax, hasRegister, registerRetention, basis, zone);
  }
}
