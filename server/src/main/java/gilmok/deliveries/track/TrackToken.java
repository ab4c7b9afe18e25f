package gilmok.deliveries.track;

import gilmok.deliveries.DeliveryId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The token in a customer's link: {@code <delivery>.<expiry>.<signature>}. The expiry is in epoch
 * seconds in base 36; the signature is the first 128 bits of an HMAC-SHA-256 over the rest, in
 * base64url. Nothing is stored: the signature alone proves that the token was issued. Immutable.
 *
 * @param deliveryId the delivery's id
 * @param expiresAtMillis when it expires, epoch ms, whole seconds
 */
record TrackToken(String deliveryId, long expiresAtMillis) {
  private static final String PURPOSE = "gilmok track 1 ";
  private static final int SIGNATURE_BYTES = 16;
  private static final int CHARS_MAX = 80;

  /** The token as text, signed with the secret. */
  String signed(byte[] secret) {
    String claims = deliveryId + "." + Long.toString(expiresAtMillis / 1000, Character.MAX_RADIX);
    return claims + "." + signature(claims, secret);
  }

  /** Reads a token from text; null when it was not signed with this secret. */
  static @Nullable TrackToken of(String text, byte[] secret) {
    int first = text.indexOf('.');
    int last = text.lastIndexOf('.');
    if (text.length() > CHARS_MAX || first != DeliveryId.CHARS || last <= first + 1) {
      return null;
    }
    byte[] claimed = text.substring(last + 1).getBytes(StandardCharsets.UTF_8);
    String claims = text.substring(0, last);
    byte[] signature = signature(claims, secret).getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(claimed, signature)) {
      return null;
    }
    // The signature is ours, so this is a number.
    long seconds = Long.parseLong(claims, first + 1, last, Character.MAX_RADIX);
    return new TrackToken(text.substring(0, first), seconds * 1000);
  }

  private static String signature(String claims, byte[] secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      byte[] all = mac.doFinal((PURPOSE + claims).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(Arrays.copyOf(all, SIGNATURE_BYTES));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
