package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An event while it is being decoded: a decoder sets its fields, each setter checks its value, and
 * {@link Events#add} encodes the event. A field is set once; {@link #clear} begins the next event.
 *
 * <p>Not thread-safe: reused by the thread that decodes.
 */
public final class Event {
  /**
   * The most bytes besides texts and attributes, with room for copies that write past their end.
   */
  private static final int FIXED_BYTES_MAX = 128;

  private static final int FIELDS = EventField.values().length;
  private static final double E7 = 1e7;
  static final long AT_MAX = 4_133_980_800_000L; // 2101-01-01

  private final Attributes attributes = new Attributes();
  private final long[] numbers = new long[FIELDS];
  private final int[] offsets = new int[FIELDS];
  private final int[] lengths = new int[FIELDS];
  private EventKind kind = EventKind.POSITION;
  private byte[] source = {};
  private byte[] copied = new byte[1024];
  private int copiedSize;
  private int present;
  private int wide;
  private int textBytes;
  private boolean hasAttributes;

  /** Clears all fields and begins an event. */
  public void clear(EventKind kind) {
    this.kind = kind;
    present = 0;
    wide = 0;
    textBytes = 0;
    copiedSize = 0;
    if (hasAttributes) {
      attributes.clear();
      hasAttributes = false;
    }
  }

  /** Sets the array that holds the {@link #plain} texts; it replaces the one before. */
  public void source(byte[] bytes) {
    source = bytes;
    if (copied.length > 1 << 18) {
      copied = new byte[1024];
    }
  }

  /** The kind of the event. */
  public EventKind kind() {
    return kind;
  }

  /** Whether the field was set. */
  public boolean has(EventField field) {
    return (present & field.bit()) != 0;
  }

  /** The members that have no field. */
  public Attributes attributes() {
    hasAttributes = true;
    return attributes;
  }

  /**
   * Sets the time, in milliseconds since 1970. Returns the reason of a refusal; null if accepted.
   */
  public @Nullable String at(long epochMillis) {
    if (epochMillis < 0 || epochMillis >= AT_MAX) {
      return Reason.OUT_OF_RANGE;
    }
    numbers[EventField.AT.code()] = epochMillis;
    present |= EventField.AT.bit();
    return null;
  }

  /**
   * Sets a number.
   *
   * @param mantissa of at most 15 digits
   * @param scale how many of the digits are after the point, 0 to 9
   * @return the reason of a refusal; null if accepted
   */
  public @Nullable String number(EventField field, long mantissa, int scale) {
    long ten = PackedDecimal.TENS[scale];
    if (mantissa > field.max() * ten || mantissa < field.min() * ten) {
      return Reason.OUT_OF_RANGE;
    }
    if (field == EventField.LAT || field == EventField.LON) {
      if (scale > 7) {
        return number(field, (double) mantissa / ten);
      }
      numbers[field.code()] = mantissa * PackedDecimal.TENS[7 - scale];
    } else {
      numbers[field.code()] = PackedDecimal.of(mantissa, scale);
    }
    present |= field.bit();
    return null;
  }

  /** Sets the number that was just read. Returns the reason of a refusal; null if accepted. */
  public @Nullable String number(EventField field, Decimal decimal) {
    return decimal.small
        ? number(field, decimal.mantissa, -decimal.exponent)
        : number(field, decimal.toDouble());
  }

  /** Sets a number. Returns the reason of a refusal; null if accepted. */
  public @Nullable String number(EventField field, double value) {
    if (!(value >= field.min() && value <= field.max())) {
      return Reason.OUT_OF_RANGE;
    }
    boolean angle = field == EventField.LAT || field == EventField.LON;
    long exact = angle ? e7(value) : PackedDecimal.of(value);
    boolean isWide = exact == (angle ? Long.MIN_VALUE : PackedDecimal.NONE);
    numbers[field.code()] = isWide ? Double.doubleToRawLongBits(value) : exact;
    wide |= isWide ? field.bit() : 0;
    present |= field.bit();
    return null;
  }

  private static long e7(double degrees) {
    double units = Math.rint(degrees * E7);
    boolean exact = units / E7 == degrees && (units != 0 || 1 / degrees > 0);
    return exact ? (long) units : Long.MIN_VALUE;
  }

  /**
   * Sets a text of printable ASCII (0x20 to 0x7e) in {@link #source}. It is not copied.
   *
   * @return the reason of a refusal; null if accepted
   */
  public @Nullable String plain(EventField field, int offset, int length) {
    if (length - field.min() < 0 || length > field.max()) {
      return length == 0 ? Reason.EMPTY : Reason.TOO_LONG;
    }
    return set(field, offset, length);
  }

  /**
   * Sets a text from any bytes, which are copied.
   *
   * @return the reason of a refusal; null if accepted
   */
  public @Nullable String text(EventField field, byte[] bytes, int offset, int length) {
    int end = offset + length;
    if (!Utf8.isValid(bytes, offset, end)) {
      return Reason.INVALID_UTF8;
    }
    boolean message = field == EventField.MESSAGE;
    if (!message && Utf8.hasControl(bytes, offset, end)) {
      return Reason.CONTROL_CHARACTER;
    }
    int size = message || length <= field.max() ? length : Utf8.count(bytes, offset, end);
    if (size < field.min() || size > field.max()) {
      return size == 0 ? Reason.EMPTY : Reason.TOO_LONG;
    }
    if (copiedSize + length > copied.length) {
      copied = Arrays.copyOf(copied, 2 * (copiedSize + length));
    }
    System.arraycopy(bytes, offset, copied, copiedSize, length);
    copiedSize += length;
    return set(field, ~(copiedSize - length), length);
  }

  /** A text that was set; empty when it was not. */
  public String text(EventField field) {
    int ordinal = field.code();
    return has(field)
        ? new String(
            textArray(ordinal), textOffset(ordinal), textLength(ordinal), StandardCharsets.UTF_8)
        : "";
  }

  private @Nullable String set(EventField field, int offset, int length) {
    offsets[field.code()] = offset;
    lengths[field.code()] = length;
    textBytes += length;
    present |= field.bit();
    return null;
  }

  /**
   * The wrong field of an event whose fields have all been set: a required one that is missing, or
   * {@link EventField#ATTRIBUTES}. Null if none is wrong.
   */
  public @Nullable EventField fault() {
    int required = kind.required();
    int place = EventField.LAT.bit() | EventField.LON.bit();
    if ((present & place) != 0) {
      required |= place;
    }
    int missing = required & ~present;
    if (missing != 0) {
      return BY_BIT[Integer.numberOfTrailingZeros(missing)];
    }
    return hasAttributes && attributes.fault() != null ? EventField.ATTRIBUTES : null;
  }

  /** The reason why the field of {@link #fault} is wrong. */
  public String faultReason() {
    String reason = hasAttributes ? attributes.fault() : null;
    return fault() != EventField.ATTRIBUTES || reason == null ? Reason.MISSING : reason;
  }

  private static final EventField[] BY_BIT = EventField.values();

  boolean isEmptyOfAttributes() {
    return !hasAttributes || attributes.isEmpty();
  }

  int present() {
    return present;
  }

  int wide() {
    return wide;
  }

  long number(EventField field) {
    return numbers[field.code()];
  }

  long number(int ordinal) {
    return numbers[ordinal];
  }

  byte[] textArray(int ordinal) {
    return offsets[ordinal] < 0 ? copied : source;
  }

  int textOffset(int ordinal) {
    int offset = offsets[ordinal];
    return offset < 0 ? ~offset : offset;
  }

  int textLength(int ordinal) {
    return lengths[ordinal];
  }

  /** The most bytes the encoded form can take. */
  int bytesMax() {
    return FIXED_BYTES_MAX + textBytes + (hasAttributes ? attributes.size() : 0);
  }
}
