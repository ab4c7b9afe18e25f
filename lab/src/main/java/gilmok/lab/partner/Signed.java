package gilmok.lab.partner;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Verifies webhooks as the specification requires of receivers. Not thread-safe. */
final class Signed {
  private static final String PREFIX = "whsec_";
  private static final String SCHEME = "v1,";
  private static final long TOLERANCE_SECONDS = 300;

  private final Mac mac;

  /**
   * A verifier with a secret.
   *
   * @param secret {@code whsec_…}
   */
  Signed(String secret) {
    if (!secret.startsWith(PREFIX)) {
      throw new IllegalArgumentException("a secret begins with " + PREFIX);
    }
    byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  /** Whether one of the signatures is valid and the timestamp is recent. */
  boolean verifies(
      @Nullable String id,
      @Nullable String timestamp,
      @Nullable String signatures,
      byte[] body,
      long nowMillis) {
    if (id == null || timestamp == null || signatures == null || !timestamp.matches("\\d{1,12}")) {
      return false;
    }
    if (Math.abs(nowMillis / 1000 - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
      return false;
    }
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    String wanted = SCHEME + Base64.getEncoder().encodeToString(mac.doFinal(body));
    byte[] expected = wanted.getBytes(StandardCharsets.UTF_8);
    boolean fits = false;
    for (String one : signatures.split(" ")) {
      fits |= MessageDigest.isEqual(expected, one.getBytes(StandardCharsets.UTF_8));
    }
    return fits;
  }
}
