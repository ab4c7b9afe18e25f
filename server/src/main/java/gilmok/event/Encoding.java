package gilmok.event;

/** Writes events in the form that the package's page describes. */
final class Encoding {
  /** The first byte of a number that is a double. */
  static final int DOUBLE = 0x80;

  static final int NUMBERS =
      EventField.bits(
          EventField.ACCURACY,
          EventField.SPEED,
          EventField.BEARING,
          EventField.ALTITUDE,
          EventField.BATTERY);
  static final int TEXTS =
      EventField.bits(
          EventField.PROVIDER,
          EventField.DELIVERY_ID,
          EventField.ID,
          EventField.TYPE,
          EventField.LEVEL,
          EventField.MESSAGE);
  static final int LAT_IS_DOUBLE = 1;
  static final int LON_IS_DOUBLE = 2;

  private static final int LAT = EventField.LAT.code();

  private Encoding() {}

  /** Writes an event without faults; returns where it ends. */
  static int write(Event event, byte[] target, int offset) {
    int present = event.present() & ~3;
    boolean attributes = !event.isEmptyOfAttributes();
    int bitmap =
        present | ((event.wide() >>> LAT) & 3) | (attributes ? EventField.ATTRIBUTES.bit() : 0);
    target[offset] = (byte) event.kind().code();
    LittleEndian.putShort(target, offset + 1, bitmap);
    int p = text(event, EventField.RIDER_ID.code(), target, offset + 3);
    LittleEndian.putLong(target, p, event.number(EventField.AT));
    p += 8;
    if ((present & EventField.LAT.bit()) != 0) {
      p = angle(event.number(EventField.LAT), bitmap & LAT_IS_DOUBLE, target, p);
      p = angle(event.number(EventField.LON), bitmap & LON_IS_DOUBLE, target, p);
    }
    for (int rest = present & NUMBERS; rest != 0; rest &= rest - 1) {
      int field = Integer.numberOfTrailingZeros(rest);
      p = number(event.number(field), (event.wide() >>> field) & 1, target, p);
    }
    for (int rest = present & TEXTS; rest != 0; rest &= rest - 1) {
      p = text(event, Integer.numberOfTrailingZeros(rest), target, p);
    }
    if (attributes) {
      p = LittleEndian.putVarint(target, p, event.attributes().size());
      p = event.attributes().write(target, p);
    }
    return p;
  }

  /**
   * Takes latitude and longitude out of an event, in place.
   *
   * @return the event's length then
   */
  static int removePlace(byte[] event, int offset, int length) {
    int bitmap = LittleEndian.getShort(event, offset + 1);
    if ((bitmap & EventField.LAT.bit()) == 0) {
      return length;
    }
    int p = offset + 3;
    int rider = 0;
    for (int shift = 0; ; shift += 7) {
      rider |= (event[p] & 0x7f) << shift;
      if (event[p++] >= 0) {
        break;
      }
    }
    int place = p + rider + Long.BYTES;
    int size = (bitmap & LAT_IS_DOUBLE) == 0 ? 4 : 8;
    size += (bitmap & LON_IS_DOUBLE) == 0 ? 4 : 8;
    System.arraycopy(event, place + size, event, place, offset + length - place - size);
    int none = LAT_IS_DOUBLE | LON_IS_DOUBLE | EventField.LAT.bit() | EventField.LON.bit();
    LittleEndian.putShort(event, offset + 1, bitmap & ~none);
    return length - size;
  }

  private static int angle(long value, int wide, byte[] target, int p) {
    if (wide == 0) {
      LittleEndian.putInt(target, p, (int) value);
      return p + 4;
    }
    LittleEndian.putLong(target, p, value);
    return p + 8;
  }

  private static int number(long value, int wide, byte[] target, int p) {
    if (wide != 0) {
      target[p] = (byte) DOUBLE;
      LittleEndian.putLong(target, p + 1, value);
      return p + 9;
    }
    long zigzag = value >>> 4;
    int length = (71 - Long.numberOfLeadingZeros(zigzag)) >>> 3;
    target[p] = (byte) ((length << 4) | (value & 0xf));
    LittleEndian.putLong(target, p + 1, zigzag);
    return p + 1 + length;
  }

  private static int text(Event event, int field, byte[] target, int offset) {
    int length = event.textLength(field);
    int p = LittleEndian.putVarint(target, offset, length);
    LittleEndian.copy(event.textArray(field), event.textOffset(field), target, p, length);
    return p + length;
  }
}
