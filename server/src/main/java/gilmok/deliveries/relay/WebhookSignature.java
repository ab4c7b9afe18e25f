package gilmok.deliveries.relay;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs webhooks after the Standard Webhooks specification, scheme {@code v1}. Thread-safe. */
final class WebhookSignature {
  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /**
   * The value of the header {@code webhook-signature}: one signature for each secret, the newest
   * first, separated by blanks.
   *
   * @param seconds the time of this attempt, epoch seconds
   */
  static String header(String id, long seconds, byte[] body, List<String> secrets) {
    byte[] before = (id + '.' + seconds + '.').getBytes(StandardCharsets.UTF_8);
    StringBuilder header = new StringBuilder(48 * secrets.size());
    for (String secret : secrets) {
      header.append(header.isEmpty() ? "v1," : " v1,");
      header.append(
          Base64.getEncoder().encodeToString(sign(before, body, WebhookSecret.bytes(secret))));
    }
    return header.toString();
  }

  private static byte[] sign(byte[] before, byte[] body, byte[] secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret, ALGORITHM));
      mac.update(before);
      return mac.doFinal(body);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, missing);
    }
  }
}
