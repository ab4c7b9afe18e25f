package gilmok.login;

import gilmok.auth.Sha256;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A browser that signs in. All of it follows from the verifier, which the browser keeps in a sealed
 * cookie, so nothing is stored of it here.
 *
 * @param verifier RFC 7636, 4.1
 * @param to the page that is shown afterwards
 */
record LoginAttempt(String verifier, String to) {
  private static final int RANDOM_BYTES = 32;
  private static final Pattern COOKIE = Pattern.compile("([A-Za-z0-9_-]{43})\\.(ops)?");
  private static final String OPS = "/ops";
  private static final Base64.Encoder TO_TEXT = Base64.getUrlEncoder().withoutPadding();

  /** A new one; {@code random} is a {@link java.security.SecureRandom} except in tests. */
  static LoginAttempt by(RandomGenerator random, @Nullable String to) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return new LoginAttempt(TO_TEXT.encodeToString(bytes), OPS.equals(to) ? OPS : "/");
  }

  /** The one of a cookie; null when it is none. */
  static @Nullable LoginAttempt of(@Nullable String cookie) {
    var parts = COOKIE.matcher(cookie == null ? "" : cookie);
    return parts.matches()
        ? new LoginAttempt(parts.group(1), parts.group(2) == null ? "/" : OPS)
        : null;
  }

  String cookie() {
    return verifier + '.' + to.substring(1);
  }

  /** What the login gives back, so that no other page can end a login that it began itself. */
  String state() {
    return hash("state " + verifier);
  }

  /** What the token must name, so that no token of another login counts. */
  String nonce() {
    return hash("nonce " + verifier);
  }

  /** RFC 7636, 4.2. */
  String challenge() {
    return hash(verifier);
  }

  private static String hash(String text) {
    return TO_TEXT.encodeToString(Sha256.of(text));
  }
}
