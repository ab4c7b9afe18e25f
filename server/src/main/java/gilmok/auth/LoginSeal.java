package gilmok.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * Seals what a browser keeps while it is away at a login: {@code <text>.<epoch s>.<seal>}, the seal
 * an HMAC-SHA256 by one of {@link SessionSecrets}. So any node knows what some node gave out, and
 * when. Thread-safe.
 */
public final class LoginSeal {
  private static final String PURPOSE = "gilmok login 1 ";
  private static final Base64.Encoder TO_TEXT = Base64.getUrlEncoder().withoutPadding();

  /** How far the clocks of two nodes may be apart. */
  private static final long SKEW_SECONDS = 300;

  private static final int TIME_DIGITS_MAX = 12;

  private final SessionSecrets secrets;

  LoginSeal(SessionSecrets secrets) {
    this.secrets = secrets;
  }

  /** The text, sealed now. */
  public String sealed(String text, Instant now) {
    String timed = text + '.' + now.getEpochSecond();
    return timed + '.' + seal(secrets.all().getFirst(), timed);
  }

  /** The text that was sealed, if that was not longer ago; null when it was, or never. */
  public @Nullable String opened(String sealed, Instant now, Duration ago) {
    int end = sealed.lastIndexOf('.');
    int middle = sealed.lastIndexOf('.', end - 1);
    if (middle < 0
        || !sealed.substring(middle + 1, end).matches("[0-9]{1," + TIME_DIGITS_MAX + "}")) {
      return null;
    }
    String timed = sealed.substring(0, end);
    byte[] shown = sealed.substring(end + 1).getBytes(StandardCharsets.UTF_8);
    boolean isOurs = false;
    for (byte[] secret : secrets.all()) {
      byte[] right = seal(secret, timed).getBytes(StandardCharsets.UTF_8);
      isOurs |= MessageDigest.isEqual(right, shown);
    }
    long passed = now.getEpochSecond() - Long.parseLong(sealed.substring(middle + 1, end));
    return isOurs && passed >= -SKEW_SECONDS && passed <= ago.toSeconds()
        ? sealed.substring(0, middle)
        : null;
  }

  private static String seal(byte[] secret, String text) {
    Mac mac = SessionCodec.mac(secret);
    return TO_TEXT.encodeToString(mac.doFinal((PURPOSE + text).getBytes(StandardCharsets.UTF_8)));
  }
}
