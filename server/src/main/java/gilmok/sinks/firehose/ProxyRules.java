package gilmok.sinks.firehose;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The proxy of each call, from the environment: {@code HTTPS_PROXY} and {@code HTTP_PROXY} by the
 * scheme of the called URL, and {@code NO_PROXY} for hosts that are called directly. The names in
 * small letters take precedence. This machine itself is always called directly. Immutable.
 *
 * @param https for https; null when there is none
 * @param http for plain http; null when there is none
 * @param without hosts that are called directly, with their subdomains; {@code *} for all
 */
record ProxyRules(@Nullable Via https, @Nullable Via http, List<String> without) {
  /** No proxy at all. */
  static final ProxyRules NONE = new ProxyRules(null, null, List.of());

  /**
   * A proxy. Its text is the address alone, without user and password.
   *
   * @param address scheme, host and port
   */
  record Via(URI address, @Nullable String user, @Nullable String password) {
    @Override
    public String toString() {
      return "proxy " + address;
    }
  }

  /**
   * Reads the rules from these variables.
   *
   * @throws IllegalArgumentException naming the variable whose value is no proxy's address
   */
  static ProxyRules from(Map<String, String> environment) {
    return new ProxyRules(
        via(environment, "HTTPS_PROXY"),
        via(environment, "HTTP_PROXY"),
        Arrays.stream(value(environment, "NO_PROXY").split("[,\\s]+"))
            .map(host -> host.toLowerCase(Locale.ROOT))
            .map(host -> host.replaceFirst("^\\*?\\.", ""))
            .filter(host -> !host.isEmpty())
            .toList());
  }

  /** The proxy for a call; null when the call is direct. */
  @Nullable Via of(String scheme, String host, int port) {
    Via via = "https".equalsIgnoreCase(scheme) ? https : http;
    return via == null || isDirect(host.toLowerCase(Locale.ROOT), port) ? null : via;
  }

  private boolean isDirect(String host, int port) {
    if (host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]")) {
      return true;
    }
    return without.stream()
        .anyMatch(
            one ->
                one.equals("*")
                    || host.equals(one)
                    || host.endsWith("." + one)
                    || one.equals(host + ":" + port));
  }

  private static String value(Map<String, String> environment, String name) {
    String small = environment.get(name.toLowerCase(Locale.ROOT));
    return small == null ? environment.getOrDefault(name, "") : small;
  }

  private static @Nullable Via via(Map<String, String> environment, String name) {
    String text = value(environment, name).strip();
    if (text.isEmpty()) {
      return null;
    }
    try {
      URI uri = new URI(text.contains("://") ? text : "http://" + text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null) {
        return via(uri);
      }
    } catch (URISyntaxException e) {
      // Reported below, like any other such text; the exception's own message would show a
      // password.
    }
    throw new IllegalArgumentException(
        name
            + ": is no proxy's address, such as http://proxy.example:3128 or, with a password"
            + " whose special characters are percent-encoded, http://user:pass%40word@proxy:3128");
  }

  private static Via via(URI uri) throws URISyntaxException {
    int usual = "https".equals(uri.getScheme()) ? 443 : 80;
    int port = uri.getPort() < 0 ? usual : uri.getPort();
    URI address = new URI(uri.getScheme(), null, uri.getHost(), port, null, null, null);
    String who = uri.getRawUserInfo();
    if (who == null || who.isEmpty()) {
      return new Via(address, null, null);
    }
    int colon = who.indexOf(':');
    return colon < 0
        ? new Via(address, decoded(who), "")
        : new Via(address, decoded(who.substring(0, colon)), decoded(who.substring(colon + 1)));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
