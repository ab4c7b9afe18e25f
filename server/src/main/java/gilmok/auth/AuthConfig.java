package gilmok.auth;

import gilmok.config.Settings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The operator's settings for keys.
 *
 * @param adminKey {@code admin-key}, best given as GILMOK_ADMIN_KEY: replaces the key in {@code
 *     admin.key}; null for none
 * @param keysMax {@code auth.keys-max}: how many keys are kept
 * @param sessionLifetime {@code auth.session-lifetime}: how long a page that was given a key does
 *     not ask for it again
 * @param rate {@code auth.rate}: requests a second of a key that was made without a rate and is not
 *     an admin's; 0: no limit. It can change while the server runs ({@link Keys#usualRate})
 */
public record AuthConfig(
    @Nullable String adminKey, int keysMax, Duration sessionLifetime, int rate) {
  static final int ADMIN_KEY_LENGTH_MIN = 16;

  /** Reads the settings, which note every problem. */
  public static AuthConfig of(Settings settings) {
    String adminKey = settings.secret("admin-key");
    if (adminKey != null && !usable(adminKey)) {
      settings.problem(
          "admin-key: needs %s to %s visible ASCII characters"
              .formatted(ADMIN_KEY_LENGTH_MIN, PresentedKey.LENGTH_MAX));
    }
    return new AuthConfig(
        adminKey,
        settings.number("auth.keys-max", 10_000, 1, 100_000),
        settings.duration(
            "auth.session-lifetime", "30 d", Duration.ofMinutes(1), Duration.ofDays(365)),
        settings.number("auth.rate", 0, 0, KeyRequest.RATE_MAX));
  }

  private static boolean usable(String key) {
    return key.length() >= ADMIN_KEY_LENGTH_MIN
        && key.length() <= PresentedKey.LENGTH_MAX
        && key.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /** A text without the key. */
  @Override
  public String toString() {
    String shown = adminKey == null ? "none" : "given";
    return "AuthConfig[adminKey=%s, keysMax=%s, sessionLifetime=%s, rate=%s]"
        .formatted(shown, keysMax, sessionLifetime, rate);
  }
}
