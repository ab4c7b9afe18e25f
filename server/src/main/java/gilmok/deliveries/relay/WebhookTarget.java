package gilmok.deliveries.relay;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * The parsed and checked URL that a partner's webhooks go to. Immutable.
 *
 * @param host a name, or an address without brackets
 * @param path the path with the query
 */
record WebhookTarget(boolean isSecure, String host, int port, String path) {
  private static final int CHARS_MAX = 2000;
  private static final int PORT_MAX = 65535;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /** The result of reading a URL. */
  sealed interface Reading {
    /** A URL that webhooks can be sent to. */
    record Good(WebhookTarget target) implements Reading {}

    /** A URL that they cannot be sent to, and why. */
    record Bad(String reason) implements Reading {}
  }

  /** Reads and checks a URL. Names are not resolved; an address in place of a name is checked. */
  static Reading read(String url, AddressGuard guard) {
    if (url.length() > CHARS_MAX) {
      return new Reading.Bad("must have at most " + CHARS_MAX + " characters");
    }
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException _) {
      return new Reading.Bad("is not a URL");
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean isSecure = scheme.equals("https");
    if (!isSecure && !(scheme.equals("http") && guard.allowsPrivate())) {
      return new Reading.Bad("must begin with https://");
    }
    String host = uri.getHost();
    if (host == null || host.isEmpty()) {
      return new Reading.Bad("needs a host");
    }
    if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
      return new Reading.Bad("must have neither user, password nor fragment");
    }
    int port = uri.getPort() < 0 ? (isSecure ? HTTPS : HTTP) : uri.getPort();
    if (port < 1 || port > PORT_MAX) {
      return new Reading.Bad("must have a port from 1 to " + PORT_MAX);
    }
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    if (Resolver.isLiteral(bare) && guard.allowed(Resolver.literal(bare)).isEmpty()) {
      return new Reading.Bad("must not lead into a private network");
    }
    return new Reading.Good(new WebhookTarget(isSecure, bare, port, path + query));
  }
}
