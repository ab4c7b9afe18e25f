package gilmok.pages;

import gilmok.config.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/**
 * What an operator can say about the map.
 *
 * @param tiles {@code map.tiles}: where the pictures below the riders come from, with {@code {z}},
 *     {@code {x}} and {@code {y}}; empty for none
 * @param attribution {@code map.attribution}: whom to name for them
 */
public record PagesConfig(String tiles, String attribution) {
  /** What a content security policy can name as a source, and no more. */
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

  /** Scheme, host and port of the tiles; empty without tiles, or when they are no URL. */
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
