package gilmok.lab.fleet;

import java.net.URI;

/**
 * The server that a fleet sends to.
 *
 * @param key the API key of all phones
 */
record FleetTarget(String host, int port, boolean encrypted, String key) {
  /**
   * Parses a URL.
   *
   * @throws IllegalArgumentException saying which form a URL must have
   */
  static FleetTarget of(String url, String key) {
    URI uri;
    try {
      uri = URI.create(url.strip());
    } catch (IllegalArgumentException malformed) {
      throw noUrl(url);
    }
    boolean encrypted = "https".equals(uri.getScheme());
    if (uri.getHost() == null || !(encrypted || "http".equals(uri.getScheme()))) {
      throw noUrl(url);
    }
    int port = uri.getPort() > 0 ? uri.getPort() : encrypted ? 443 : 80;
    return new FleetTarget(uri.getHost(), port, encrypted, key);
  }

  private static IllegalArgumentException noUrl(String url) {
    return new IllegalArgumentException(
        "--url " + url + " is no URL; write it as http://127.0.0.1:8080");
  }
}
