package gilmok.event;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads one encoded event in place, without copying or allocating. {@link #wrap} checks all
 * lengths; afterwards the values are valid while the wrapped bytes stay unchanged.
 *
 * <p>Not thread-safe: reused by the thread that reads.
 */
public final class EventView {
  private static final EventField[] FIELDS = EventField.values();
  private static final long AHEAD_MILLIS_MAX = 600_000;

  /** The order in which the members are written, after those that all events have. */
  private static final EventField[] IN_JSON = {
    EventField.TYPE,
    EventField.LEVEL,
    EventField.MESSAGE,
    EventField.LAT,
    EventField.LON,
    EventField.ACCURACY,
    EventField.SPEED,
    EventField.BEARING,
    EventField.ALTITUDE,
    EventField.BATTERY,
    EventField.PROVIDER,
    EventField.DELIVERY_ID,
    EventField.ID,
    EventField.ATTRIBUTES
  };

  private final int[] offsets = new int[FIELDS.length];
  private final int[] lengths = new int[FIELDS.length];
  private final QuarantinedView quarantined = new QuarantinedView();
  private EventKind kind = EventKind.POSITION;
  private byte[] bytes = {};
  private int end;
  private int present;
  private int wide;
  private boolean overrun;

  /**
   * Wraps an event. One of kind {@link EventKind#QUARANTINED} has no fields: see {@link
   * QuarantinedView}. A {@link JsonRecord} has its id, and its JSON as attributes.
   *
   * @throws DamagedEvent if the bytes are of an unknown version, or not exactly one event
   */
  public EventView wrap(byte[] bytes, int offset, int length) {
    if (length < 1) {
      throw new DamagedEvent("an event of no bytes");
    }
    this.bytes = bytes;
    end = offset + length;
    kind = EventKind.of(bytes[offset]);
    overrun = false;
    if (kind == EventKind.QUARANTINED) {
      present = 0;
      quarantined.wrap(bytes, offset, length);
      return this;
    }
    int p;
    if (kind.isJson()) {
      present = EventField.ID.bit() | EventField.ATTRIBUTES.bit();
      p = text(EventField.ATTRIBUTES.code(), text(EventField.ID.code(), offset + 1));
    } else {
      p = length < 3 ? damaged() : fields(offset);
    }
    if (p != end || overrun) {
      throw new DamagedEvent(
          "a damaged " + kind + ": its " + length + " bytes do not fit what they say they hold");
    }
    return this;
  }

  private int fields(int offset) {
    int bitmap = LittleEndian.getShort(bytes, offset + 1);
    int place = EventField.LAT.bit() | EventField.LON.bit();
    wide = bitmap & 3;
    present = (bitmap & ~3) | EventField.RIDER_ID.bit() | EventField.AT.bit();
    boolean half = (bitmap & place) != 0 && (bitmap & place) != place;
    half |= wide != 0 && (bitmap & place) == 0;
    if (half || (present & ~kind.fields()) != 0 || (kind.required() & ~present) != 0) {
      return damaged();
    }
    int p = text(EventField.RIDER_ID.code(), offset + 3);
    p = fixed(EventField.AT.code(), p, 8);
    if (overrun || at() < 0 || at() >= Event.AT_MAX) {
      return damaged();
    }
    for (int rest = present & ~3; rest != 0; rest &= rest - 1) {
      int field = Integer.numberOfTrailingZeros(rest);
      p =
          switch (FIELDS[field]) {
            case LAT -> fixed(field, p, (wide & Encoding.LAT_IS_DOUBLE) == 0 ? 4 : 8);
            case LON -> fixed(field, p, (wide & Encoding.LON_IS_DOUBLE) == 0 ? 4 : 8);
            case ACCURACY, SPEED, BEARING, ALTITUDE, BATTERY -> number(field, p);
            case ATTRIBUTES -> p;
            default -> text(field, p);
          };
    }
    return has(EventField.ATTRIBUTES) ? text(EventField.ATTRIBUTES.code(), p) : p;
  }

  private int fixed(int field, int p, int length) {
    if (length > end - p) {
      return damaged();
    }
    offsets[field] = p;
    lengths[field] = length;
    return p + length;
  }

  private int number(int field, int p) {
    if (p >= end) {
      return damaged();
    }
    int head = bytes[p] & 0xff;
    int length = head == Encoding.DOUBLE ? 8 : head >>> 4;
    boolean bad = head > Encoding.DOUBLE || (head < 0x80 && (head & 0xf) > PackedDecimal.SCALE_MAX);
    return bad ? damaged() : fixed(field, p, 1 + length);
  }

  private int text(int field, int offset) {
    int length = 0;
    int p = offset;
    for (int shift = 0; ; shift += 7) {
      if (p >= end || shift > 21) {
        return damaged();
      }
      byte b = bytes[p++];
      length |= (b & 0x7f) << shift;
      if (b >= 0) {
        return fixed(field, p, length);
      }
    }
  }

  private int damaged() {
    overrun = true;
    return end;
  }

  /** The kind of the event. */
  public EventKind kind() {
    return kind;
  }

  /** Whether the field is present. */
  public boolean has(EventField eventField) {
    return (present & eventField.bit()) != 0;
  }

  /** The time, in milliseconds since 1970. */
  public long at() {
    return LittleEndian.getLong(bytes, offsets[need(EventField.AT)]);
  }

  /** The latitude in degrees; it must be present. */
  public double lat() {
    return number(EventField.LAT);
  }

  /** The longitude in degrees; it must be present. */
  public double lon() {
    return number(EventField.LON);
  }

  /** A number; it must be present. */
  public double number(EventField eventField) {
    int p = offsets[need(eventField)];
    if (eventField == EventField.LAT || eventField == EventField.LON) {
      return lengths[eventField.code()] == 4
          ? LittleEndian.getInt(bytes, p) / 1e7
          : Double.longBitsToDouble(LittleEndian.getLong(bytes, p));
    }
    return bytes[p] == (byte) Encoding.DOUBLE
        ? Double.longBitsToDouble(LittleEndian.getLong(bytes, p + 1))
        : PackedDecimal.toDouble(packed(p));
  }

  private long packed(int p) {
    int length = bytes[p] >>> 4;
    long zigzag = 0;
    for (int i = 0; i < length; i++) {
      zigzag |= (bytes[p + 1 + i] & 0xffL) << (8 * i);
    }
    return (zigzag << 4) | (bytes[p] & 0xf);
  }

  /** The array that was wrapped. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where in {@link #bytes} a text, or the attributes' JSON, starts; it must be present. */
  public int offset(EventField eventField) {
    return offsets[need(eventField)];
  }

  /** How many bytes a text, or the attributes' JSON, takes; it must be present. */
  public int length(EventField eventField) {
    return lengths[need(eventField)];
  }

  /** A text, or the attributes' JSON; null when absent. */
  public @Nullable String text(EventField eventField) {
    return has(eventField)
        ? new String(
            bytes, offsets[eventField.code()], lengths[eventField.code()], StandardCharsets.UTF_8)
        : null;
  }

  /** The rider who sent it. */
  public String riderId() {
    return new String(
        bytes, offset(EventField.RIDER_ID), length(EventField.RIDER_ID), StandardCharsets.UTF_8);
  }

  private int need(EventField eventField) {
    if (!has(eventField)) {
      throw new IllegalStateException("no " + eventField.label() + " in this " + kind);
    }
    return eventField.code();
  }

  /**
   * Whether its time is more than ten minutes after its arrival, epoch ms: then the phone's clock
   * is wrong. Always false for quarantined records and events without a phone.
   */
  public boolean isAheadOf(long arrivalMillis) {
    return has(EventField.AT) && at() - arrivalMillis > AHEAD_MILLIS_MAX;
  }

  /** Writes the event as a JSON object with the API's names. */
  public void writeJson(JsonBuffer out) {
    if (kind == EventKind.QUARANTINED) {
      quarantined.writeJson(out);
      return;
    }
    if (kind.isJson()) {
      writeValue(EventField.ATTRIBUTES, out);
      return;
    }
    out.ascii("{\"riderId\":");
    out.string(bytes, offset(EventField.RIDER_ID), length(EventField.RIDER_ID));
    out.ascii(",\"at\":").time(at());
    for (EventField field : IN_JSON) {
      if (has(field)) {
        out.ascii(",\"").ascii(field.label()).ascii("\":");
        writeValue(field, out);
      }
    }
    out.put('}');
  }

  private void writeValue(EventField field, JsonBuffer out) {
    switch (field.shape()) {
      case NUMBER -> writeNumber(field, out);
      case TEXT -> out.string(bytes, offset(field), length(field));
      case MEMBERS -> out.raw(bytes, offset(field), length(field));
      case TIME -> out.time(at());
    }
  }

  private void writeNumber(EventField eventField, JsonBuffer out) {
    int p = offsets[eventField.code()];
    boolean angle = eventField == EventField.LAT || eventField == EventField.LON;
    if (angle && lengths[eventField.code()] == 4) {
      out.decimal(LittleEndian.getInt(bytes, p), 7);
    } else if (!angle && bytes[p] != (byte) Encoding.DOUBLE) {
      out.packed(packed(p));
    } else {
      out.number(number(eventField));
    }
  }
}
