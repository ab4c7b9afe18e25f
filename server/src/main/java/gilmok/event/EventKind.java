package gilmok.event;

import org.jspecify.annotations.Nullable;

/** The kind of an encoded record. The code is its first byte on disk and never changes. */
public enum EventKind {
  /** One GPS fix. */
  POSITION(
      1,
      EventField.bits(EventField.RIDER_ID, EventField.AT, EventField.LAT, EventField.LON),
      EventField.bits(
          EventField.ACCURACY,
          EventField.SPEED,
          EventField.BEARING,
          EventField.ALTITUDE,
          EventField.BATTERY,
          EventField.PROVIDER,
          EventField.DELIVERY_ID,
          EventField.ID,
          EventField.ATTRIBUTES)),
  /** What a rider did. */
  ACTION(
      2,
      EventField.bits(EventField.RIDER_ID, EventField.AT, EventField.TYPE),
      EventField.bits(
          EventField.DELIVERY_ID,
          EventField.LAT,
          EventField.LON,
          EventField.ID,
          EventField.ATTRIBUTES)),
  /** What an app reports for debugging. */
  LOG_LINE(
      3,
      EventField.bits(EventField.RIDER_ID, EventField.AT, EventField.LEVEL, EventField.MESSAGE),
      EventField.bits(EventField.ID, EventField.ATTRIBUTES)),
  /** A record that was refused, kept with the reason. */
  QUARANTINED(4, 0, 0),
  /** An event of a delivery: its id and one JSON object. Not made by a phone. */
  DELIVERY(5, EventField.bits(EventField.ID, EventField.ATTRIBUTES), 0),
  /** An entry of the audit: its id and one JSON object. Not made by a phone. */
  AUDIT(6, EventField.bits(EventField.ID, EventField.ATTRIBUTES), 0);

  static final int VERSION = 1;

  private static final @Nullable EventKind[] BY_CODE = {
    null, POSITION, ACTION, LOG_LINE, QUARANTINED, DELIVERY, AUDIT
  };

  private final int code;
  private final int required;
  private final int fields;

  EventKind(int number, int required, int optional) {
    this.code = (VERSION << 4) | number;
    this.required = required;
    this.fields = required | optional;
  }

  /**
   * The first byte of the encoded form: the version in the upper four bits, the kind in the lower.
   */
  public int code() {
    return code;
  }

  /** Whether events of this kind can have the field. */
  public boolean has(EventField field) {
    return (fields & field.bit()) != 0;
  }

  /** Whether events of this kind must have the field. */
  public boolean requires(EventField field) {
    return (required & field.bit()) != 0;
  }

  /** Whether such a record is an id and one JSON object ({@link JsonRecord}). */
  boolean isJson() {
    return this == DELIVERY || this == AUDIT;
  }

  int required() {
    return required;
  }

  int fields() {
    return fields;
  }

  /**
   * The kind for a first byte.
   *
   * @throws DamagedEvent if this version knows no such kind
   */
  static EventKind of(int code) {
    int number = code & 0xf;
    EventKind kind = number < BY_CODE.length ? BY_CODE[number] : null;
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
