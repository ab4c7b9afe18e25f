package gilmok.pages;

import gilmok.config.ProgramFile;
import gilmok.http.FixedBody;
import org.jspecify.annotations.Nullable;

/**
 * One file of the pages, read and packed when it is first asked for. Thread-safe.
 *
 * @see Assets
 */
final class Asset {
  private final String name;
  private final String type;
  private volatile @Nullable FixedBody content;

  Asset(String name) {
    this.name = name;
    this.type = type(name);
  }

  /** Its content if it has been read before, else null. Never blocks. */
  @Nullable FixedBody contentIfRead() {
    return content;
  }

  /** Its content; takes some 50 ms for the largest, once. Not to be called on an event loop. */
  synchronized FixedBody content() {
    FixedBody known = content;
    if (known == null) {
      known = new FixedBody(type, bytes(name));
      content = known;
    }
    return known;
  }

  /** The bytes of a file of the pages. */
  static byte[] bytes(String name) {
    return ProgramFile.bytes(Asset.class, "/web/" + name);
  }

  private static String type(String name) {
    String kind = name.substring(name.lastIndexOf('.') + 1);
    return switch (kind) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js", "mjs" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      case "txt" -> "text/plain; charset=utf-8";
      case "json" -> "application/json";
      default -> throw new IllegalArgumentException("no content type for " + name);
    };
  }
}
