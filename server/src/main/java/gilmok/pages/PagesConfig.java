package gilmok.pages;

import gilmok.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the map. Immutable.
 *
 * @param tiles {@code map.tiles}: the URL of the map tiles, with {@code {z}}, {@code {x}} and
 *     {@code {y}}; empty for none
 * @param tilesFile {@code map.tiles-file}: the PMTiles file to show instead; null for none
 * @param attribution {@code map.attribution}: the copyright notice for the tiles; empty for the
 *     file's own
 * @param hasLogin {@code auth.oidc.client-id}: whether people can sign in with the fleet's login
 * @param zone {@code fleet.zone}: the zone of the days that the map shows
 */
public record PagesConfig(
    String tiles, @Nullable Path tilesFile, String attribution, boolean hasLogin, ZoneId zone) {
  /** An origin that a content security policy accepts as a source. */
  private static final Pattern ORIGIN =
      Pattern.compile("https?://(?:[A-Za-z0-9.-]{1,255}|\\[[0-9A-Fa-f:]{2,45}])(?::\\d{1,5})?");

  /** Reads the keys {@code map.*} and {@code fleet.zone}. */
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
    return new PagesConfig(
        tiles,
        tilesFile(settings, tiles),
        settings.text("map.attribution", ""),
        settings.optionalText("auth.oidc.client-id") != null,
        settings.zone("fleet.zone", "Asia/Seoul"));
  }

  private static @Nullable Path tilesFile(Settings settings, String tiles) {
    String key = "map.tiles-file";
    String given = settings.optionalText(key);
    if (given == null) {
      return null;
    }
    if (!tiles.isEmpty()) {
      settings.problem("map.tiles and " + key + ": give one of them, not both");
    }
    try {
      Path file = Path.of(given);
      TileArchive.open(file).close();
      return file;
    } catch (IOException | InvalidPathException unusable) {
      settings.problem(key + ": " + unusable.getMessage());
      return null;
    }
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
