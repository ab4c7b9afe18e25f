package gilmok.compress;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A content coding, as the header Content-Encoding names it. */
public enum ContentCoding {
  /** Uncompressed. */
  IDENTITY,
  /** RFC 1952. */
  GZIP,
  /** RFC 8878, with the window of RFC 9659. */
  ZSTD;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** The name in Content-Encoding and in metrics. */
  public String label() {
    return label;
  }

  /** The coding that a header names; null when it is none of ours. */
  static @Nullable public ContentCoding of(@Nullable String contentEncoding) {
    if (contentEncoding == null) {
      return IDENTITY;
    }
    String name = contentEncoding.strip();
    if (name.equalsIgnoreCase("gzip") || name.equalsIgnoreCase("x-gzip")) {
      return GZIP;
    }
    if (name.equalsIgnoreCase("zstd")) {
      return ZSTD;
    }
    return name.isEmpty() || name.equalsIgnoreCase("identity") ? IDENTITY : null;
  }
}
