package gilmok.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The meanings of a recording's columns, with the names of each. */
enum CsvColumn {
  RIDER("riderId", Kind.TEXT, "riderid|rider|agentid|agent|userid|user|deviceid"),
  AT("at", Kind.TIME, "at|time|timestamp|datetime"),
  LAT("lat", Kind.NUMBER, "lat|latitude"),
  LON("lon", Kind.NUMBER, "lon|lng|longitude"),
  ALTITUDE("altitude", Kind.NUMBER, "altitudem|altitude|alt"),
  ACCURACY("accuracy", Kind.NUMBER, "accuracym|accuracy"),
  SPEED("speed", Kind.NUMBER, "speedmps|speed"),
  BEARING("bearing", Kind.NUMBER, "bearing|bearingdeg"),
  BATTERY("battery", Kind.NUMBER, "battery"),
  PROVIDER("provider", Kind.TEXT, "provider"),
  DELIVERY("deliveryId", Kind.TEXT, "deliveryid"),
  ID("id", Kind.TEXT, "id");

  /** How the cells of a column are written as JSON. */
  enum Kind {
    TEXT,
    NUMBER,
    TIME
  }

  /** Its name in the API. */
  final String member;

  final Kind kind;
  private final String names;

  CsvColumn(String member, Kind kind, String names) {
    this.member = member;
    this.kind = kind;
    this.names = names;
  }

  boolean isNeeded() {
    return this == RIDER || this == AT || this == LAT || this == LON;
  }

  /** The column for a header, regardless of case and underscores; null for an attribute. */
  static @Nullable CsvColumn of(String header) {
    String plain = header.strip().toLowerCase(Locale.ROOT).replaceAll("[_ -]", "");
    for (CsvColumn column : values()) {
      if (plain.matches(column.names)) {
        return column;
      }
    }
    return null;
  }
}
