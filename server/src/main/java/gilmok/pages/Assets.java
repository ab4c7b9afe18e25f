package gilmok.pages;

import gilmok.auth.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files that the pages load, under {@code /assets/<version>/<file>}. The version is a hash of
 * all of them, so a browser may cache them for ever, and they can refer to each other by file name.
 * Immutable, except that contents are read at their first request.
 */
final class Assets {
  /** Our own files; their bytes are part of the version. */
  static final List<String> OWN =
      List.of(
          "api.js",
          "attributes.js",
          "background.js",
          "basemap.js",
          "card.js",
          "chart.js",
          "colours.js",
          "commands.js",
          "day-address.js",
          "day-axis.js",
          "day-lane.js",
          "day-layer.js",
          "day-marks.js",
          "day-play.js",
          "day-strip.js",
          "day-time.js",
          "day-track.js",
          "day.css",
          "day.js",
          "deliveries.js",
          "draw.js",
          "dom.js",
          "fleet.js",
          "format.js",
          "geo.js",
          "grid.js",
          "groups.js",
          "icon.svg",
          "layer.js",
          "list.js",
          "main.js",
          "map.js",
          "ops-history.js",
          "ops-look.js",
          "ops-panel.js",
          "ops-panels.js",
          "ops-routes.js",
          "ops-tables.js",
          "ops-tiles.js",
          "ops-units.js",
          "ops-words.js",
          "ops.css",
          "ops.js",
          "panels.css",
          "phones.js",
          "program.js",
          "search.js",
          "session.js",
          "status.js",
          "stops.js",
          "stream.js",
          "style.css",
          "theme.js",
          "track.css",
          "track.js",
          "trails.js",
          "way.js",
          "words.js",
          "world.js");

  /** Files by others, or made of theirs; their hashes in vendor.json are part of the version. */
  static final List<String> VENDORED =
      List.of(
          "maplibre-gl.mjs",
          "maplibre-gl-worker.mjs",
          "maplibre-gl.css",
          "maplibre-gl.LICENSE.txt",
          "pmtiles.js",
          "pmtiles.LICENSE.txt",
          "world.json",
          "world.LICENSE.txt");

  static final String VENDOR_LIST = "vendor.json";

  private final Map<String, Asset> byName = new TreeMap<>();
  private final String version;

  Assets() {
    MessageDigest sha256 = Sha256.digest();
    for (String name : OWN) {
      add(sha256, name);
      byName.put(name, new Asset(name));
    }
    for (String name : VENDORED) {
      byName.put(name, new Asset(name));
    }
    add(sha256, VENDOR_LIST);
    version = HexFormat.of().formatHex(sha256.digest(), 0, 8);
  }

  /** The version, which changes with any file. */
  String version() {
    return version;
  }

  @Nullable Asset find(String name) {
    return byName.get(name);
  }

  private static void add(MessageDigest sha256, String name) {
    sha256.update(name.getBytes(StandardCharsets.UTF_8));
    sha256.update((byte) 0);
    byte[] bytes = Asset.bytes(name);
    sha256.update((byte) (bytes.length >>> 16));
    sha256.update((byte) (bytes.length >>> 8));
    sha256.update((byte) bytes.length);
    sha256.update(bytes);
  }
}
