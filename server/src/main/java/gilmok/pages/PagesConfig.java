package gilmok.pages;

import gilmok.config.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/**
 * Settings of the map. Immutable.
 *
 * @param tiles {@code map.tiles}: the URL of the map tiles, with {@code {z}}, {@code {x}} and
 *     {@code {y}}; empty for none
 * @param attribution {@code map.attribution}: the copyright notice for the tiles
 */
public record PagesConfig(String tiles, String attribution) {
  /** An origin that a content security policy accepts as a source. */
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(?:[A-Za-z0-9.-]{1,255}|\\[[0-9A-Fa-f:]{2,45}])(?::\\d{1,5})?");

  /** Reads the keys {@code map.*}. */
  public static PagesConfig from(Settings settings) {
    String tiles = settings.text("map.tiles", "");
    if (!tiles.isEmpty()) {
      if (origin(tiles).isEmpty()) {
        settings.problem("map.tiles: \"" + tiles + "\" is no http or https URL");
      }
      for (String part : new String[] {"{z}", "{x}", "{y}"}) {
        if (!tiles.contains(part)) {
          settings.problem("map.tiles: lacks " + part);
        }
      }
    }
    return new PagesConfig(tiles, settings.text("map.attribution", ""));
  }

  /** Scheme, host and port of the tiles; empty if there are none or their URL is invalid. */
  String tilesOrigin() {
    return origin(tiles);
  }

  private static String origin(String template) {
    try {
      URI uri = new URI(template.replace("{", "%7B").replace("}", "%7D"));
      String origin = uri.getScheme() + "://" + uri.getRawAuthority();
      return uri.getRawAuthority() != null && ORIGIN.matcher(origin).matches() ? origin : "";
    } catch (URISyntaxException e) {
      return "";
    }
  }
}
