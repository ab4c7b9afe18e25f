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

  /** The text for an HTTP status, with the beginning of the answer's body. */
  static String status(int status, String text) {
    String quoted = clean(text);
    return quoted.isEmpty() ? "HTTP " + status : "HTTP " + status + ": " + quoted;
  }

  /** The text for an exception: why the partner could not be reached. */
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

  /** The text for an exception in a private network, without a word of what was read there. */
  static String ofPrivate(Throwable failed) {
    return switch (failed) {
      case ConnectException _ -> "cannot connect";
      case SSLException _ -> "TLS cannot be agreed on";
      default -> "no HTTP answer";
    };
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
