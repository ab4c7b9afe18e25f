package gilmok.runtime;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;

/**
 * What the JDK reads from its own files at first use and, should that fail, cannot have again in
 * this process: a class whose initialisation failed stays so. A moment without descriptors would
 * end the signing of webhooks and links until a restart.
 */
public final class JdkClasses {
  private JdkClasses() {}

  /** Loads them. */
  public static void load() {
    try {
      Mac _ = Mac.getInstance("HmacSHA256");
      MessageDigest _ = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has these", e);
    }
  }
}
