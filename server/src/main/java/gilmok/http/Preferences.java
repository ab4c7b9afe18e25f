package gilmok.http;

import io.vertx.core.MultiMap;
import java.util.List;

/** What a client would like, but can do without: the header Prefer (RFC 7240). Stateless. */
final class Preferences {
  private static final String TIMING = "server-timing";

  private Preferences() {}

  /** Whether the client would like to know where the time went. */
  static boolean hasTiming(MultiMap headers) {
    if (!headers.contains(HeaderNames.PREFER)) {
      return false;
    }
    List<String> lines = headers.getAll(HeaderNames.PREFER);
    for (String line : lines) {
      for (String preference : line.split(",", -1)) {
        int parameters = preference.indexOf(';');
        String name = parameters < 0 ? preference : preference.substring(0, parameters);
        if (name.strip().equalsIgnoreCase(TIMING)) {
          return true;
        }
      }
    }
    return false;
  }
}
