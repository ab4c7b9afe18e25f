package gilmok.privacy;

import gilmok.config.Settings;

/**
 * The settings {@code privacy.*}. Immutable.
 *
 * @param pseudonymSecret {@code privacy.pseudonym-secret}: makes riders' pseudonyms, the same on
 *     all nodes; empty for a secret of this node's own
 * @param consentsMax {@code privacy.consents-max}: how many riders can withhold something at once
 */
public record PrivacyConfig(String pseudonymSecret, int consentsMax) {
  private static final int SECRET_CHARS_MIN = 16;

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "PrivacyConfig[consentsMax=" + consentsMax + "]";
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
        secret, settings.number("privacy.consents-max", 5_000_000, 1, 20_000_000));
  }
}
