package gilmok.phones;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The values that a phone is set up with. Call {@link #fault} before making one from a user's
 * input. Immutable.
 *
 * @param url the URL at which phones reach the server, without a slash at its end
 * @param riderId the rider of the phone; the phone also calls itself so
 * @param key the key that the phone sends to the server
 */
public record PhoneSetup(String url, String riderId, String key) {
  private static final int URL_LENGTH_MAX = 256;
  private static final int RIDER_LENGTH_MAX = 128;
  private static final int KEY_LENGTH_MIN = 16;
  private static final int KEY_LENGTH_MAX = 128;

  /** An error in one of the three values, named as in {@code POST /v1/phones}. */
  public record Fault(String field, String reason) {}

  public PhoneSetup {
    url = url.replaceFirst("/+$", "");
  }

  /** The first error of the values; null if there is none. */
  public static @Nullable Fault fault(String url, String riderId, String key) {
    String urlFault = urlFault(url);
    if (urlFault != null) {
      return new Fault("url", urlFault);
    }
    if (riderId.isBlank()
        || riderId.length() > RIDER_LENGTH_MAX
        || riderId.codePoints().anyMatch(PhoneSetup::isUnprintable)) {
      return new Fault(
          "riderId", "needs 1 to " + RIDER_LENGTH_MAX + " characters, no control characters");
    }
    if (key.length() < KEY_LENGTH_MIN
        || key.length() > KEY_LENGTH_MAX
        || key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      return new Fault(
          "key",
          "needs %d to %d visible ASCII characters".formatted(KEY_LENGTH_MIN, KEY_LENGTH_MAX));
    }
    return null;
  }

  /** The server's URL with a path, which begins with a slash. */
  String at(String path) {
    return url + path;
  }

  /** A text encoded for a query, with {@code %20} for a space, which every app understands. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Without the key, which must not be logged. */
  @Override
  public String toString() {
    return "Setup[" + url + ", " + riderId + "]";
  }

  private static @Nullable String urlFault(String text) {
    if (text.length() > URL_LENGTH_MAX) {
      return "needs at most " + URL_LENGTH_MAX + " characters";
    }
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException _) {
      return "is no URL; write it as https://fleet.example.com";
    }
    boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!web || uri.getHost() == null || text.chars().anyMatch(c -> c > '~')) {
      return "is no URL; write it as https://fleet.example.com";
    }
    return uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null
        ? null
        : "needs no user, query or fragment: only where the server is";
  }

  private static boolean isUnprintable(int c) {
    return Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE;
  }
}
