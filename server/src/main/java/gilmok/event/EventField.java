package gilmok.event;

/**
 * A named field of an event. Its code is its bit in the presence bitmap of the encoded form and
 * never changes.
 */
public enum EventField {
  RIDER_ID(0, "riderId", Shape.TEXT, 1, 128),
  AT(1, "at", Shape.TIME, 0, 0),
  /** Degrees. */
  LAT(2, "lat", Shape.NUMBER, -90, 90),
  /** Degrees. */
  LON(3, "lon", Shape.NUMBER, -180, 180),
  /** Metres. */
  ACCURACY(4, "accuracy", Shape.NUMBER, 0, 1_000_000_000),
  /** Metres per second. */
  SPEED(5, "speed", Shape.NUMBER, 0, 1_000_000_000),
  /** Degrees. */
  BEARING(6, "bearing", Shape.NUMBER, 0, 360),
  /** Metres. */
  ALTITUDE(7, "altitude", Shape.NUMBER, -12_000, 100_000),
  /** From 0 to 1. */
  BATTERY(8, "battery", Shape.NUMBER, 0, 1),
  PROVIDER(9, "provider", Shape.TEXT, 1, 128),
  DELIVERY_ID(10, "deliveryId", Shape.TEXT, 1, 128),
  /** The phone's id of the event, by which a repeat is recognised. */
  ID(11, "id", Shape.TEXT, 1, 128),
  ATTRIBUTES(12, "attributes", Shape.MEMBERS, 0, 0),
  TYPE(13, "type", Shape.TEXT, 1, 64),
  LEVEL(14, "level", Shape.TEXT, 1, 16),
  /** Any characters; its length is counted in bytes of UTF-8. */
  MESSAGE(15, "message", Shape.TEXT, 0, 65_536);

  /** The kind of value that a field has. */
  public enum Shape {
    TEXT,
    NUMBER,
    TIME,
    MEMBERS
  }

  private final int code;
  private final String label;
  private final int labelLength;
  private final Shape shape;
  private final long min;
  private final long max;

  EventField(int code, String label, Shape shape, long min, long max) {
    this.code = code;
    this.label = label;
    this.labelLength = label.length();
    this.shape = shape;
    this.min = min;
    this.max = max;
  }

  /** Its code, which is its bit in the presence bitmap. */
  public int code() {
    return code;
  }

  /** Its name in the API, as in {@code riderId}. */
  public String label() {
    return label;
  }

  /** The length of the label. */
  public int labelLength() {
    return labelLength;
  }

  /** The kind of value that it has. */
  public Shape shape() {
    return shape;
  }

  /** The least value of a number, or the least length of a text. */
  public long min() {
    return min;
  }

  /** The greatest value of a number, or the greatest length of a text. */
  public long max() {
    return max;
  }

  int bit() {
    return 1 << code;
  }

  static int bits(EventField... fields) {
    int bits = 0;
    for (EventField field : fields) {
      bits |= field.bit();
    }
    return bits;
  }
}
