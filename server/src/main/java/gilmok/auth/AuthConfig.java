package gilmok.auth;

import gilmok.config.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operator's settings for keys.
 *
 * @param adminKey {@code admin-key}, best given as GILMOK_ADMIN_KEY: replaces the key in {@code
 *     admin.key}; null for none
 * @param keysMax {@code auth.keys-max}: how many keys are kept
 * @param sessionLifetime {@code auth.session-lifetime}: how long a page that was given a key does
 *     not ask for it again
 * @param sessionSecrets {@code auth.session-secret} and {@code auth.session-secret-accepted}: the
 *     first seals new sessions, each opens them; empty for a secret of the node's own
 * @param rate {@code auth.rate}: requests a second of a key that was made without a rate and is not
 *     an admin's; 0: no limit. It can change while the server runs ({@link Keys#usualRate})
 * @param keyNames {@code auth.header}, {@code auth.parameter}
 * @param jwt {@code auth.jwt.*}: tokens that are let in beside keys; null for none
 */
public record AuthConfig(
    @Nullable String adminKey,
    int keysMax,
    Duration sessionLifetime,
    List<String> sessionSecrets,
    int rate,
    KeyNames keyNames,
    @Nullable JwtConfig jwt) {
  static final int ADMIN_KEY_LENGTH_MIN = 16;
  private static final int ADMIN_KEY_CHARACTERS_MIN = 8;
  private static final int SESSION_SECRET_LENGTH_MIN = 32;
  private static final String SESSION_SECRET = "auth.session-secret";
  private static final String SESSION_SECRET_ACCEPTED = "auth.session-secret-accepted";

  /** Settings without other names and tokens. */
  public AuthConfig(
      @Nullable String adminKey,
      int keysMax,
      Duration sessionLifetime,
      List<String> sessionSecrets,
      int rate) {
    this(adminKey, keysMax, sessionLifetime, sessionSecrets, rate, KeyNames.USUAL, null);
  }

  public AuthConfig {
    sessionSecrets = List.copyOf(sessionSecrets);
  }

  /** Reads the settings, which note every problem. */
  public static AuthConfig of(Settings settings) {
    String adminKey = settings.secret("admin-key");
    if (adminKey != null && !usable(adminKey)) {
      settings.problem(
          "admin-key: needs %s to %s visible ASCII characters"
              .formatted(ADMIN_KEY_LENGTH_MIN, PresentedKey.LENGTH_MAX));
    }
    if (adminKey != null && adminKey.chars().distinct().count() < ADMIN_KEY_CHARACTERS_MIN) {
      settings.problem(
          "admin-key: needs at least %s different characters; openssl rand -hex 32 makes a good one"
              .formatted(ADMIN_KEY_CHARACTERS_MIN));
    }
    return new AuthConfig(
        adminKey,
        settings.number("auth.keys-max", 10_000, 1, 100_000),
        settings.duration(
            "auth.session-lifetime", "30 d", Duration.ofMinutes(1), Duration.ofDays(365)),
        sessionSecrets(settings),
        settings.number("auth.rate", 0, 0, KeyRequest.RATE_MAX),
        KeyNames.of(settings),
        JwtConfig.of(settings));
  }

  /** The settings of the shadow server of a warm-up: another admin key, secrets of its own. */
  public AuthConfig ofShadow(String otherAdminKey) {
    return new AuthConfig(otherAdminKey, keysMax, sessionLifetime, List.of(), rate);
  }

  private static List<String> sessionSecrets(Settings settings) {
    List<String> secrets = new ArrayList<>();
    for (String name : List.of(SESSION_SECRET, SESSION_SECRET_ACCEPTED)) {
      String secret = settings.secret(name);
      if (secret == null) {
        continue;
      }
      if (secret.length() < SESSION_SECRET_LENGTH_MIN) {
        settings.problem(name + ": has less than " + SESSION_SECRET_LENGTH_MIN + " characters");
      }
      if (name.equals(SESSION_SECRET_ACCEPTED) && secrets.isEmpty()) {
        settings.problem(name + ": needs " + SESSION_SECRET + " beside it");
      }
      secrets.add(secret);
    }
    return secrets;
  }

  private static boolean usable(String key) {
    return key.length() >= ADMIN_KEY_LENGTH_MIN
        && key.length() <= PresentedKey.LENGTH_MAX
        && key.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /** A text without the key and the secrets. */
  @Override
  public String toString() {
    String shown = adminKey == null ? "none" : "given";
    return "AuthConfig[adminKey=%s, keysMax=%s, sessionLifetime=%s, rate=%s]"
        .formatted(shown, keysMax, sessionLifetime, rate);
  }
}
