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
 * The files that the pages load, under {@code /assets/<version>/<file>}. The version is a hash over
 * all of them, so that a browser may keep them for ever and they may name each other by file name.
 * Immutable but for what is read when it is first asked for.
 */
final class Assets {
  /** Written by us: part of the version by their bytes. */
  static final List<String> OWN =
      List.of(
          "card.js",
          "colours.js",
          "draw.js",
          "dom.js",
          "fleet.js",
          "format.js",
          "geo.js",
          "grid.js",
          "icon.svg",
          "layer.js",
          "main.js",
          "map.js",
          "phones.js",
          "program.js",
          "search.js",
          "session.js",
          "status.js",
          "stream.js",
          "style.css",
          "theme.js",
          "track.css",
          "track.js",
          "trails.js",
          "words.js");

  /** Others' work, unchanged: part of the version by the hashes that vendor.json has of them. */
  static final List<String> VENDORED =
      List.of(
          "maplibre-gl.mjs",
          "maplibre-gl-worker.mjs",
          "maplibre-gl.css",
          "maplibre-gl.LICENSE.txt");

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

  /** Changes with any file. */
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
