package gilmok.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One file of the pages, read and packed when it is first asked for. Thread-safe.
 *
 * @see Assets
 */
final class Asset {
  private final String name;
  private final String type;
  private volatile @Nullable Content content;

  /** Its bytes, as they are and packed. Neither is changed. */
  static final class Content {
    final byte[] plain;
    final byte[] gzip;

    Content(byte[] plain) {
      this.plain = plain;
      gzip = packed(plain);
    }
  }

  Asset(String name) {
    this.name = name;
    this.type = type(name);
  }

  String type() {
    return type;
  }

  /** Its content if it has been read before, else null. Never blocks. */
  @Nullable Content contentIfRead() {
    return content;
  }

  /** Its content; takes some 100 ms for the largest, once. Not to be called on an event loop. */
  synchronized Content content() {
    Content known = content;
    if (known == null) {
      known = new Content(bytes(name));
      content = known;
    }
    return known;
  }

  /** The bytes of a file of the pages. */
  static byte[] bytes(String name) {
    try (InputStream in = Asset.class.getResourceAsStream("/web/" + name)) {
      if (in == null) {
        throw new IllegalStateException("this program was built without web/" + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] packed(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 3);
    try (GZIPOutputStream gzip = new Best(out)) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
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

  /** As small as it gets: it is made once and sent often. */
  private static final class Best extends GZIPOutputStream {
    Best(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}
