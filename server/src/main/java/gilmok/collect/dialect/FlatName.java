package gilmok.collect.dialect;

import gilmok.event.EventField;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A name in flat uploads, with its meaning and its unit. One table serves all apps, as they use
 * different names for different things. If several names of one meaning are sent, the first in this
 * table is used, and the others become attributes.
 */
enum FlatName {
  ID("id", Use.DEVICE),
  DEVICEID("deviceid", Use.DEVICE),
  AID("aid", Use.DEVICE),
  SER("ser", Use.DEVICE),
  TIMESTAMP("timestamp", Use.TIME),
  TIME("time", Use.TIME),
  TIMEOFFSET("timeoffset", Use.TIME),
  LAT("lat", Use.PLACE),
  LON("lon", Use.PLACE),
  LOCATION("location", Use.PLACE),
  ACCURACY("accuracy", EventField.ACCURACY, 1, 1),
  ACC("acc", EventField.ACCURACY, 1, 1),
  SPD("spd", EventField.SPEED, 1, 1),
  /** Kilometres an hour. */
  SPD_KPH("spd_kph", EventField.SPEED, 1, 3.6),
  /** Knots. */
  SPEED("speed", EventField.SPEED, 1852, 3600),
  BEARING("bearing", EventField.BEARING, 1, 1),
  HEADING("heading", EventField.BEARING, 1, 1),
  DIR("dir", EventField.BEARING, 1, 1),
  ALTITUDE("altitude", EventField.ALTITUDE, 1, 1),
  ALT("alt", EventField.ALTITUDE, 1, 1),
  /** Percent. */
  BATT("batt", EventField.BATTERY, 1, 100),
  PROV("prov", Use.PROVIDER),
  VALID("valid", Use.TRUTH),
  CHARGE("charge", Use.TRUTH),
  ISCHARGING("ischarging", Use.TRUTH),
  DRIVER_UNIQUE_ID("driverUniqueId", Use.TEXT),
  IMEI("imei", Use.TEXT),
  NOTIFICATION_TOKEN("notificationToken", Use.TEXT),
  DESC("desc", Use.TEXT),
  FILENAME("filename", Use.TEXT),
  PROFILE("profile", Use.TEXT),
  CELL("cell", Use.TEXTS),
  WIFI("wifi", Use.TEXTS);

  /** What a value is used for. */
  enum Use {
    /** The sender's name. */
    DEVICE,
    TIME,
    PLACE,
    /** A number that has a field. */
    NUMBER,
    PROVIDER,
    /** An attribute: true, 1, false or 0. */
    TRUTH,
    /** An attribute that is a text, also where it looks like a number. */
    TEXT,
    /** An attribute that is an array of texts, as the name can be sent more than once. */
    TEXTS
  }

  private static final Map<String, FlatName> BY_LABEL =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(name -> name.label, name -> name));

  /** The name as it is sent. */
  final String label;

  final Use use;

  /** The field of a {@link Use#NUMBER}; null for the others. */
  final @Nullable EventField field;

  private final double factor;
  private final double divisor;

  FlatName(String label, Use use) {
    this.label = label;
    this.use = use;
    field = null;
    factor = 1;
    divisor = 1;
  }

  FlatName(String label, EventField field, double factor, double divisor) {
    this.label = label;
    use = Use.NUMBER;
    this.field = field;
    this.factor = factor;
    this.divisor = divisor;
  }

  /** The entry of that name; null if the name means nothing here. */
  static @Nullable FlatName of(String label) {
    return BY_LABEL.get(label);
  }

  /** Converts a number to the field's unit. */
  double inFieldUnit(double number) {
    return number * factor / divisor;
  }
}
