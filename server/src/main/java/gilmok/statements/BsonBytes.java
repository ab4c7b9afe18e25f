package gilmok.statements;

import gilmok.event.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * BSON as it lies in an array: sizes, numbers, and how long what is passed over is. Whatever is
 * looked at lies before an end that the caller names, which is at most that of the array. Pure.
 *
 * @see <a href="https://bsonspec.org/spec.html">the format</a>
 */
final class BsonBytes {
  static final byte DOUBLE = 0x01;
  static final byte STRING = 0x02;
  static final byte DOCUMENT = 0x03;
  static final byte ARRAY = 0x04;
  static final byte INT32 = 0x10;
  static final byte INT64 = 0x12;

  private static final byte BINARY = 0x05;
  private static final byte UNDEFINED = 0x06;
  private static final byte OBJECT_ID = 0x07;
  private static final byte BOOLEAN = 0x08;
  private static final byte DATE = 0x09;
  private static final byte NULL = 0x0A;
  private static final byte REGEX = 0x0B;
  private static final byte POINTER = 0x0C;
  private static final byte CODE = 0x0D;
  private static final byte SYMBOL = 0x0E;
  private static final byte CODE_WITH_SCOPE = 0x0F;
  private static final byte TIMESTAMP = 0x11;
  private static final byte DECIMAL = 0x13;
  private static final byte MAX_KEY = 0x7F;
  private static final byte MIN_KEY = (byte) 0xFF;

  private static final int SIZE_BYTES = 4;
  private static final int LONG_BYTES = 8;
  private static final int OBJECT_ID_BYTES = 12;
  private static final int DECIMAL_BYTES = 16;

  /** A size and the zero at the end. */
  private static final int DOCUMENT_BYTES_MIN = 5;

  private BsonBytes() {}

  /** A text with the zero behind it, as names are. */
  static byte[] text(String text) {
    return (text + '\0').getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The eight bytes there as one number, the first the lowest; zeros for those behind the end of
   * the array.
   */
  static long word(byte[] bytes, int position) {
    if (position <= bytes.length - LONG_BYTES) {
      return LittleEndian.getLong(bytes, position);
    }
    long word = 0;
    for (int i = bytes.length - 1; i >= position; i--) {
      word = (word << Byte.SIZE) | (bytes[i] & 0xFF);
    }
    return word;
  }

  /**
   * Where the document or array that begins there ends.
   *
   * @param end where it has to end at the latest
   */
  static int documentEnd(byte[] bytes, int position, int end) throws DamagedBson {
    int size = size(bytes, position, end);
    if (size < DOCUMENT_BYTES_MIN || size > end - position || bytes[position + size - 1] != 0) {
      throw new DamagedBson("not a document, or not all of it", position);
    }
    return position + size;
  }

  /**
   * Where the text that begins there, with its length, ends: behind its zero.
   *
   * @param end where it has to end at the latest
   */
  static int stringEnd(byte[] bytes, int position, int end) throws DamagedBson {
    int size = size(bytes, position, end);
    int begin = position + SIZE_BYTES;
    if (size < 1 || size > end - begin || bytes[begin + size - 1] != 0) {
      throw new DamagedBson("not a text, or not all of it", position);
    }
    return begin + size;
  }

  private static int size(byte[] bytes, int position, int end) throws DamagedBson {
    require(SIZE_BYTES, position, end);
    return LittleEndian.getInt(bytes, position);
  }

  /** Where the name that begins there ends: behind its zero. */
  static int nameEnd(byte[] bytes, int position, int end) throws DamagedBson {
    for (int i = position; i < end; i++) {
      if (bytes[i] == 0) {
        return i + 1;
      }
    }
    throw new DamagedBson("a name without an end", position);
  }

  /** The whole number there, however it is stored. */
  static long whole(byte type, byte[] bytes, int position, int end) throws DamagedBson {
    require(numberBytes(type), position, end);
    return switch (type) {
      case INT64 -> LittleEndian.getLong(bytes, position);
      case INT32 -> LittleEndian.getInt(bytes, position);
      case DOUBLE -> {
        double number = Double.longBitsToDouble(LittleEndian.getLong(bytes, position));
        long whole = (long) number;
        if (whole != number) {
          throw new DamagedBson("not a whole number", position);
        }
        yield whole;
      }
      default -> throw new DamagedBson("not a number but of type " + type, position);
    };
  }

  /** How many bytes a number of that type has. */
  static int numberBytes(byte type) {
    return type == INT32 ? SIZE_BYTES : LONG_BYTES;
  }

  /** Where the value of that type ends that begins there. */
  static int valueEnd(byte type, byte[] bytes, int position, int end) throws DamagedBson {
    return switch (type) {
      case UNDEFINED, NULL, MIN_KEY, MAX_KEY -> position;
      case BOOLEAN -> position + require(1, position, end);
      case INT32 -> position + require(SIZE_BYTES, position, end);
      case DOUBLE, DATE, TIMESTAMP, INT64 -> position + require(LONG_BYTES, position, end);
      case OBJECT_ID -> position + require(OBJECT_ID_BYTES, position, end);
      case DECIMAL -> position + require(DECIMAL_BYTES, position, end);
      case STRING, CODE, SYMBOL -> stringEnd(bytes, position, end);
      case DOCUMENT, ARRAY, CODE_WITH_SCOPE -> documentEnd(bytes, position, end);
      case REGEX -> nameEnd(bytes, nameEnd(bytes, position, end), end);
      case POINTER -> {
        int id = stringEnd(bytes, position, end);
        yield id + require(OBJECT_ID_BYTES, id, end);
      }
      case BINARY -> {
        int size = size(bytes, position, end);
        int begin = position + SIZE_BYTES + 1;
        if (size < 0 || size > end - begin) {
          throw new DamagedBson("not all of a binary", position);
        }
        yield begin + size;
      }
      default -> throw new DamagedBson("of no known type: " + type, position);
    };
  }

  private static int require(int size, int position, int end) throws DamagedBson {
    if (size > end - position) {
      throw new DamagedBson("a value that is cut", position);
    }
    return size;
  }

  /**
   * Where the value of a field begins that has to be of that type.
   *
   * @param position of the document
   * @param name with its zero
   */
  static int field(byte[] bytes, int position, int end, byte[] name, byte type) throws DamagedBson {
    int value = field(bytes, position, end, name);
    byte found = bytes[value - name.length - 1];
    if (found != type) {
      throw new DamagedBson("of type " + found + ", not " + type, value);
    }
    return value;
  }

  /** The whole number that a field is. */
  static long whole(byte[] bytes, int position, int end, byte[] name) throws DamagedBson {
    int value = field(bytes, position, end, name);
    return whole(bytes[value - name.length - 1], bytes, value, end);
  }

  private static int field(byte[] bytes, int position, int end, byte[] name) throws DamagedBson {
    int last = documentEnd(bytes, position, end) - 1;
    int next = position + SIZE_BYTES;
    while (next < last) {
      byte type = bytes[next];
      int value = nameEnd(bytes, next + 1, last);
      if (Arrays.equals(bytes, next + 1, value, name, 0, name.length)) {
        return value;
      }
      next = valueEnd(type, bytes, value, last);
    }
    throw new DamagedBson(
        "no field " + new String(name, 0, name.length - 1, StandardCharsets.UTF_8), position);
  }
}
