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
 * What is in a customer's link: {@code <delivery>.<expiry>.<signature>}, the expiry in seconds
 * since 1970 to the base 36, the signature the first 128 bits of an HMAC-SHA-256 over the rest, in
 * base64url. Nothing is kept for it: whoever has the secret can tell that it was given.
 *
 * @param deliveryId whose
 * @param expiresAtMillis from then on it is good for nothing, epoch ms, whole seconds
 */
record TrackToken(String deliveryId, long expiresAtMillis) {
  private static final String PURPOSE = "gilmok track 1 ";
  private static final int SIGNATURE_BYTES = 16;
  private static final int CHARS_MAX = 80;

  /** The written form. */
  String signed(byte[] secret) {
    String told = deliveryId + "." + Long.toString(expiresAtMillis / 1000, Character.MAX_RADIX);
    return told + "." + signature(told, secret);
  }

  /** Reads the written form; null when it was not given by whoever has this secret. */
  static @Nullable TrackToken of(String text, byte[] secret) {
    int first = text.indexOf('.');
    int last = text.lastIndexOf('.');
    if (text.length() > CHARS_MAX || first != DeliveryId.CHARS || last <= first + 1) {
      return null;
    }
    byte[] claimed = text.substring(last + 1).getBytes(StandardCharsets.UTF_8);
    String told = text.substring(0, last);
    byte[] signature = signature(told, secret).getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(claimed, signature)) {
      return null;
    }
    // Signed by us, so it is a number.
    long seconds = Long.parseLong(told, first + 1, last, Character.MAX_RADIX);
    return new TrackToken(text.substring(0, first), seconds * 1000);
  }

  private static String signature(String told, byte[] secret) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      byte[] all = mac.doFinal((PURPOSE + told).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(Arrays.copyOf(all, SIGNATURE_BYTES));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
