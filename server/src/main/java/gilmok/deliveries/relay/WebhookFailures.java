package gilmok.deliveries.relay;

import java.net.ConnectException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Describes why a call failed, in a few words for people. */
final class WebhookFailures {
  static final int QUOTE_BYTES_MAX = 200;
  private static final int CHARS_MAX = 200;
  private static final int CAUSES_MAX = 8;

  private WebhookFailures() {}

  /**
   * The text for an HTTP status, with the beginning of the answer's body.
   *
   * @param isPrivate whether it was read in a network of the operator's own: nothing of it is told
   */
  static String status(int status, String text, boolean isPrivate) {
    String quoted = isPrivate ? "" : clean(text);
    return quoted.isEmpty() ? "HTTP " + status : "HTTP " + status + ": " + quoted;
  }

  /**
   * The text for an exception: why the partner could not be reached.
   *
   * @param isPrivate whether it was read in a network of the operator's own: nothing of it is told
   */
  static String of(Throwable failed, boolean isPrivate) {
    String reason =
        switch (failed) {
          case ConnectException _ -> "cannot connect";
          case SSLException tls -> isPrivate ? "TLS cannot be agreed on" : "TLS: " + root(tls);
          default -> {
            String message = isPrivate ? "no HTTP answer" : failed.getMessage();
            yield message == null ? failed.getClass().getSimpleName() : message;
          }
        };
    return clean(reason);
  }

  /** The message of the innermost cause; null when it has none. */
  private static @Nullable String root(Throwable failed) {
    Throwable root = failed;
    for (int i = 0; i < CAUSES_MAX; i++) {
      Throwable cause = root.getCause();
      root = cause == null ? root : cause;
    }
    return root.getMessage();
  }

  /** The text as one line of limited length. */
  private static String clean(String text) {
    StringBuilder line = new StringBuilder(Math.min(text.length(), CHARS_MAX));
    for (int i = 0; i < text.length() && line.length() < CHARS_MAX; i++) {
      char c = text.charAt(i);
      boolean isPrintable = !Character.isISOControl(c) && !Character.isSurrogate(c);
      line.append(isPrintable ? c : ' ');
    }
    return line.toString().strip();
  }
}
