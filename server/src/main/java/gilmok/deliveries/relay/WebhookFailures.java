package gilmok.deliveries.relay;

import java.net.ConnectException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says why a call failed, in a few words for people. */
final class WebhookFailures {
  static final int QUOTE_BYTES_MAX = 200;
  private static final int CHARS_MAX = 200;
  private static final int CAUSES_MAX = 8;

  private WebhookFailures() {}

  /** What a partner answered. */
  static String status(int status, String text) {
    String quoted = clean(text);
    return quoted.isEmpty() ? "HTTP " + status : "HTTP " + status + ": " + quoted;
  }

  /** Why it could not be reached. */
  static String of(Throwable failed) {
    String reason =
        switch (failed) {
          case ConnectException _ -> "cannot connect";
          case SSLException tls -> "TLS: " + root(tls);
          default -> {
            String message = failed.getMessage();
            yield message == null ? failed.getClass().getSimpleName() : message;
          }
        };
    return clean(reason);
  }

  /** What the innermost cause says. */
  private static @Nullable String root(Throwable failed) {
    Throwable root = failed;
    for (int i = 0; i < CAUSES_MAX; i++) {
      Throwable cause = root.getCause();
      root = cause == null ? root : cause;
    }
    return root.getMessage();
  }

  /** One line, of a bounded length. */
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
