package gilmok.event;

import org.jspecify.annotations.Nullable;

/** What an encoded record is. The code is its first byte on disk and never changes. */
public enum Kind {
  /** One GPS fix. */
  POSITION(
      1,
      Field.bits(Field.RIDER_ID, Field.AT, Field.LAT, Field.LON),
      Field.bits(
          Field.ACCURACY,
          Field.SPEED,
          Field.BEARING,
          Field.ALTITUDE,
          Field.BATTERY,
          Field.PROVIDER,
          Field.DELIVERY_ID,
          Field.ID,
          Field.ATTRIBUTES)),
  /** What a rider did. */
  ACTION(
      2,
      Field.bits(Field.RIDER_ID, Field.AT, Field.TYPE),
      Field.bits(Field.DELIVERY_ID, Field.LAT, Field.LON, Field.ID, Field.ATTRIBUTES)),
  /** What an app reports for debugging. */
  LOG_LINE(
      3,
      Field.bits(Field.RIDER_ID, Field.AT, Field.LEVEL, Field.MESSAGE),
      Field.bits(Field.ID, Field.ATTRIBUTES)),
  /** What could not be used, kept with the reason. */
  QUARANTINED(4, 0, 0),
  /** What happened to a delivery: its id and one JSON object, not made by a phone. */
  DELIVERY(5, Field.bits(Field.ID, Field.ATTRIBUTES), 0);

  static final int VERSION = 1;

  private static final @Nullable Kind[] BY_CODE = {
    null, POSITION, ACTION, LOG_LINE, QUARANTINED, DELIVERY
  };

  private final int code;
  private final int required;
  private final int fields;

  Kind(int number, int required, int optional) {
    this.code = (VERSION << 4) | number;
    this.required = required;
    this.fields = required | optional;
  }

  /** The first byte of the encoded form: the version in the upper four bits. */
  public int code() {
    return code;
  }

  /** Whether events of this kind can have the field. */
  public boolean has(Field field) {
    return (fields & field.bit()) != 0;
  }

  /** Whether events of this kind must have the field. */
  public boolean requires(Field field) {
    return (required & field.bit()) != 0;
  }

  int required() {
    return required;
  }

  int fields() {
    return fields;
  }

  /**
   * The kind of a first byte.
   *
   * @throws DamagedEvent if no such kind is known to this build
   */
  static Kind of(int code) {
    int number = code & 0xf;
    Kind kind = number < BY_CODE.length ? BY_CODE[number] : null;
    if (kind == null || kind.code != (code & 0xff)) {
      throw new DamagedEvent(
          "a record of version "
              + ((code >> 4) & 0xf)
              + ", kind "
              + number
              + "; this build reads version "
              + VERSION
              + ", kinds 1 to "
              + (BY_CODE.length - 1));
    }
    return kind;
  }
}
