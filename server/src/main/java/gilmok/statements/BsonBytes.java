package gilmok.statements;

import gilmok.event.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads raw BSON in an array of bytes: sizes, numbers, and the ends of values that are skipped.
 * Methods with an {@code end} read nothing beyond it; it must be within the array. Pure functions;
 * thread-safe.
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

  /** The size and the zero at the end. */
  private static final int DOCUMENT_BYTES_MIN = 5;

  private BsonBytes() {}

  /** A text with a zero at its end, as BSON has names. */
  static byte[] text(String text) {
    return (text + '\0').getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The eight bytes at {@code position} as a little-endian number; bytes beyond the array count as
   * 0.
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
   * The end of the document or array that begins at {@code position}.
   *
   * @param end the last possible end
   * @throws DamagedBson when it does not end before that, or is malformed
   */
  static int documentEnd(byte[] bytes, int position, int end) throws DamagedBson {
    int size = size(bytes, position, end);
    if (size < DOCUMENT_BYTES_MIN || size > end - position || bytes[position + size - 1] != 0) {
      throw new DamagedBson("not a document, or not all of it", position);
    }
    return position + size;
  }

  /**
   * The end of the string value that begins, with its length, at {@code position}: behind its zero.
   *
   * @param end the last possible end
   * @throws DamagedBson when it does not end before that, or is malformed
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

  /** The end of the name that begins at {@code position}: behind its zero. */
  static int nameEnd(byte[] bytes, int position, int end) throws DamagedBson {
    for (int i = position; i < end; i++) {
      if (bytes[i] == 0) {
        return i + 1;
      }
    }
    throw new DamagedBson("a name without an end", position);
  }

  /** The integer at {@code position}, of any numeric type. */
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

  /** The size of a number of that type, in bytes. */
  static int numberBytes(byte type) {
    return type == INT32 ? SIZE_BYTES : LONG_BYTES;
  }

  /** The end of the value of that type that begins at {@code position}. */
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
   * The beginning of the value of a document's field, which must have that type.
   *
   * @param position the beginning of the document
   * @param name the field's name, with its zero
   * @throws DamagedBson when the document has no such field of that type
   */
  static int field(byte[] bytes, int position, int end, byte[] name, byte type) throws DamagedBson {
    int value = field(bytes, position, end, name);
    byte found = bytes[value - name.length - 1];
    if (found != type) {
      throw new DamagedBson("of type " + found + ", not " + type, value);
    }
    return value;
  }

  /** The integer value of a document's field. */
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
