package gilmok.http;

import org.jspecify.annotations.Nullable;

/** How a body is packed: the header Content-Encoding. */
enum Coding {
  IDENTITY,
  GZIP,
  ZSTD;

  /** The coding a header names; null when it is none of ours. */
  static @Nullable Coding of(@Nullable String contentEncoding) {
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
