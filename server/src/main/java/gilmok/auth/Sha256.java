package gilmok.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;

/** SHA-256 and HMAC-SHA256, which every Java runtime has. From any thread. */
public final class Sha256 {
  private Sha256() {}

  /**
   * Loads the JDK classes that read files of the JDK when they are initialised. A class whose
   * initialisation fails stays unusable in this process: if the process were out of descriptors at
   * that moment, webhooks and links could not be signed until a restart.
   */
  public static void load() {
    Mac _ = hmac();
    MessageDigest _ = digest();
  }

  /** A new HMAC-SHA256, without its key. */
  public static Mac hmac() {
    try {
      return Mac.getInstance("HmacSHA256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** A new digest for one hash after the other; not thread-safe. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The hash of a text in UTF-8. */
  public static byte[] of(String text) {
    return digest().digest(text.getBytes(StandardCharsets.UTF_8));
  }
}
