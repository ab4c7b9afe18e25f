package gilmok.parquet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads structs in Thrift's compact protocol from bytes that may be damaged: it never reads beyond
 * their end, and never makes room for more than they can have.
 *
 * <p>Call {@link #field} for the next field of the present struct, then read its value by the
 * method for its type, or {@link #skip} it. Not thread-safe.
 */
final class ThriftReader {
  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int DOUBLE = 7;
  private static final int I64 = 6;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int DEPTH_MAX = 16;

  private final int[] outerFields = new int[DEPTH_MAX];
  private byte[] bytes = {};
  private int position;
  private int end;
  private int depth;
  private int field;
  private int type;

  /** Begins to read a struct. */
  void wrap(byte[] source, int from, int to) {
    bytes = source;
    position = from;
    end = to;
    depth = 0;
    field = 0;
    type = 0;
  }

  /** Where the next byte is. */
  int position() {
    return position;
  }

  /** The number of the next field; 0 at the end of the struct, which is then left. */
  int field() throws DamagedParquetException {
    int head = next();
    if (head == 0) {
      field = depth == 0 ? 0 : outerFields[--depth];
      return 0;
    }
    type = head & 0x0f;
    int step = head >> 4;
    long number = step == 0 ? zigzag() : field + step;
    if (number < 1 || number > Short.MAX_VALUE) {
      throw new DamagedParquetException("a field has the number " + number);
    }
    field = (int) number;
    return field;
  }

  /** The value of the field, a number that fits an int. */
  int number() throws DamagedParquetException {
    long value = longNumber();
    if (value != (int) value) {
      throw new DamagedParquetException("field " + field + " is " + value);
    }
    return (int) value;
  }

  /** The value of the field, a number. */
  long longNumber() throws DamagedParquetException {
    if (type != ThriftWriter.I32 && type != I64 && type != I16) {
      throw wrong("a number");
    }
    return zigzag();
  }

  /** The value of the field, bytes. */
  byte[] binary() throws DamagedParquetException {
    if (type != ThriftWriter.BINARY) {
      throw wrong("bytes");
    }
    return element();
  }

  /** The value of the field, a text. */
  String text() throws DamagedParquetException {
    return new String(binary(), StandardCharsets.UTF_8);
  }

  /** Enters the struct that is the value of the field. */
  void struct() throws DamagedParquetException {
    if (type != ThriftWriter.STRUCT) {
      throw wrong("a struct");
    }
    enter();
  }

  /** Enters a struct that is an element of a list. */
  void enter() throws DamagedParquetException {
    if (depth == DEPTH_MAX) {
      throw new DamagedParquetException("structs in one another");
    }
    outerFields[depth++] = field;
    field = 0;
  }

  /**
   * The number of elements of the list that is the value of the field.
   *
   * @param elementType the type that they must have
   * @param elementBytesMin the fewest bytes of one: the list must be able to be there
   */
  int list(int elementType, int elementBytesMin) throws DamagedParquetException {
    if (type != LIST) {
      throw wrong("a list");
    }
    int head = next();
    long count = head >> 4 == 15 ? varint() : head >> 4;
    if ((head & 0x0f) != elementType || count < 0 || count > (end - position) / elementBytesMin) {
      throw new DamagedParquetException("field " + field + " is a list of " + count);
    }
    return (int) count;
  }

  /** An element of a list of numbers. */
  long numberElement() throws DamagedParquetException {
    return zigzag();
  }

  /** An element of a list of bytes. */
  byte[] element() throws DamagedParquetException {
    int length = length();
    byte[] value = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return value;
  }

  /** Passes over the value of the field. */
  void skip() throws DamagedParquetException {
    skip(type, DEPTH_MAX);
  }

  private void skip(int skipped, int levels) throws DamagedParquetException {
    if (levels == 0) {
      throw new DamagedParquetException("structs in one another");
    }
    switch (skipped) {
      case TRUE, FALSE -> {
        // The type is the value.
      }
      case BYTE -> next();
      case I16, ThriftWriter.I32, I64 -> varint();
      case DOUBLE -> pass(8);
      case ThriftWriter.BINARY -> pass(length());
      case LIST, SET -> skipList(levels);
      case ThriftWriter.STRUCT -> skipStruct(levels);
      default -> throw new DamagedParquetException("a value of type " + skipped);
    }
  }

  private void skipStruct(int levels) throws DamagedParquetException {
    int head = next();
    while (head != 0) {
      if (head >> 4 == 0) {
        varint();
      }
      skip(head & 0x0f, levels - 1);
      head = next();
    }
  }

  private void skipList(int levels) throws DamagedParquetException {
    int head = next();
    int elements = head & 0x0f;
    long count = head >> 4 == 15 ? varint() : head >> 4;
    if (count < 0 || count > end - position) {
      throw new DamagedParquetException("a list of " + count);
    }
    for (long i = 0; i < count; i++) {
      // An element of a list of flags is a byte; in a struct it would be none.
      skip(elements == TRUE || elements == FALSE ? BYTE : elements, levels - 1);
    }
  }

  private int length() throws DamagedParquetException {
    long length = varint();
    if (length < 0 || length > end - position) {
      throw new DamagedParquetException("a value of " + length + " bytes");
    }
    return (int) length;
  }

  private void pass(int length) throws DamagedParquetException {
    if (length > end - position) {
      throw cut();
    }
    position += length;
  }

  private long zigzag() throws DamagedParquetException {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  private long varint() throws DamagedParquetException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = next();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new DamagedParquetException("a number of more than ten bytes");
  }

  private int next() throws DamagedParquetException {
    if (position >= end) {
      throw cut();
    }
    return bytes[position++] & 0xff;
  }

  private static DamagedParquetException cut() {
    return new DamagedParquetException("the metadata ends too early");
  }

  private DamagedParquetException wrong(String expected) {
    return new DamagedParquetException(
        "field " + field + " is not " + expected + " but of type " + type);
  }
}
