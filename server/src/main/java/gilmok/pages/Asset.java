package gilmok.pages;

import gilmok.config.ProgramFile;
import gilmok.http.FixedBody;
import org.jspecify.annotations.Nullable;

/**
 * A file of the pages. It is read and compressed at its first request. Thread-safe.
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

  /** The content if it has been read before, else null. Does not block. */
  @Nullable FixedBody contentIfRead() {
    return content;
  }

  /**
   * The content. The first call takes some 50 ms for the largest file, so it must not run on an
   * event loop.
   */
  synchronized FixedBody content() {
    FixedBody known = content;
    if (known == null) {
      known = new FixedBody(type, bytes(name));
      content = known;
    }
    return known;
  }

  /** Reads a file of the pages. */
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
