package gilmok.ledger;

import gilmok.config.Settings;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The setting {@code node.url}. Immutable.
 *
 * @param url where this very node answers, not a load balancer before it; without a path and a
 *     slash at the end; null when nobody is told
 */
public record NodeConfig(@Nullable String url) {
  /** Nobody is told. */
  public static final NodeConfig UNTOLD = new NodeConfig(null);

  /** Reads the setting. */
  public static NodeConfig from(Settings settings) {
    String text = settings.optionalText("node.url");
    if (text == null) {
      return UNTOLD;
    }
    String url = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (!isOfServer(url)) {
      settings.problem(
          "node.url: \"" + text + "\" is no URL of a server, as http://gilmok-1.gilmok:8080 is");
      return UNTOLD;
    }
    return new NodeConfig(url);
  }

  private static boolean isOfServer(String text) {
    try {
      URI url = URI.create(text);
      boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      boolean isPlain = url.getRawQuery() == null && url.getRawFragment() == null;
      return isHttp
          && isPlain
          && url.getHost() != null
          && url.getRawUserInfo() == null
          && url.getRawPath().isEmpty();
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }
}
