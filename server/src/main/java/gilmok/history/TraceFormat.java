package gilmok.history;

import gilmok.config.Settings;
import org.jspecify.annotations.Nullable;

/** How positions of the past are written. */
enum TraceFormat {
  /** Pages of a list, as everywhere in this API. */
  JSON("application/json"),
  /** RFC 7946, lines with their times. */
  GEOJSON("application/geo+json"),
  /** GPX 1.1, a track for each rider. */
  GPX("application/gpx+xml"),
  /** RFC 4180, with a header. */
  CSV("text/csv");

  private final String contentType;

  TraceFormat(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }

  /** What the query calls it. */
  String word() {
    return Settings.dashed(this);
  }

  /** The format of that name; null when there is none. */
  static @Nullable TraceFormat of(String word) {
    for (TraceFormat one : values()) {
      if (one.word().equals(word)) {
        return one;
      }
    }
    return null;
  }

  /** Whether it has pages: others are one piece. */
  boolean hasPages() {
    return this == JSON;
  }

  /** What writes one answer. */
  TraceWriter writer() {
    return switch (this) {
      case JSON -> new JsonTrace();
      case GEOJSON -> new GeoJsonTrace();
      case GPX -> new GpxTrace();
      case CSV -> new CsvTrace();
    };
  }
}
