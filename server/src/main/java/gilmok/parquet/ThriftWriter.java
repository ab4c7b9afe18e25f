package gilmok.parquet;

import gilmok.event.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes structs in Thrift's compact protocol, in which Parquet encodes its metadata. The fields of
 * a struct must be written in the order of their numbers.
 *
 * <p>Not thread-safe.
 */
final class ThriftWriter {
  /** The type of a list's elements. */
  static final int I32 = 5;

  /** The type of a list's elements. */
  static final int BINARY = 8;

  /** The type of a list's elements. */
  static final int STRUCT = 12;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int I64 = 6;
  private static final int LIST = 9;
  private static final int VARINT_BYTES_MAX = 10;

  private final int[] outerFields = new int[8];
  private byte[] bytes = new byte[512];
  private int size;
  private int depth;
  private int field;

  /** Removes all bytes. */
  void clear() {
    size = 0;
    depth = 0;
    field = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  ThriftWriter flag(int number, boolean value) {
    return head(number, value ? TRUE : FALSE);
  }

  ThriftWriter number(int number, int value) {
    return head(number, I32).varint((value << 1) ^ (value >> 31));
  }

  ThriftWriter number(int number, long value) {
    return head(number, I64).varint((value << 1) ^ (value >> 63));
  }

  ThriftWriter text(int number, String value) {
    return head(number, BINARY).element(value);
  }

  /**
   * Writes a binary field of eight bytes, the least significant first: Parquet's form of a number's
   * bounds.
   */
  ThriftWriter eightBytes(int number, long value) {
    head(number, BINARY).varint(8);
    for (int shift = 0; shift < 64; shift += 8) {
      put((int) (value >>> shift));
    }
    return this;
  }

  /** Writes a binary field. */
  ThriftWriter bytes(int number, byte[] value) {
    return head(number, BINARY).varint(value.length).raw(value, value.length);
  }

  /** Begins a struct; {@link #end} ends it. */
  ThriftWriter struct(int number) {
    return head(number, STRUCT).struct();
  }

  /** Begins a struct as an element of a list. */
  ThriftWriter struct() {
    outerFields[depth++] = field;
    field = 0;
    return this;
  }

  /** Ends a struct, including the outermost. */
  ThriftWriter end() {
    put(0);
    field = depth == 0 ? 0 : outerFields[--depth];
    return this;
  }

  /** Begins a list of {@code count} elements. */
  ThriftWriter list(int number, int type, int count) {
    head(number, LIST);
    if (count < 15) {
      return put(count << 4 | type);
    }
    return put(0xf0 | type).varint(count);
  }

  /** Writes an element of a list of strings. */
  ThriftWriter element(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    varint(utf8.length);
    return raw(utf8, utf8.length);
  }

  /** Writes an element of a list of numbers. */
  ThriftWriter element(int value) {
    return varint((value << 1) ^ (value >> 31));
  }

  /** Writes the bytes of another writer as they are. */
  ThriftWriter raw(byte[] source, int length) {
    room(length);
    System.arraycopy(source, 0, bytes, size, length);
    size += length;
    return this;
  }

  private ThriftWriter head(int number, int type) {
    int step = number - field;
    field = number;
    if (step < 1 || step > 15) {
      throw new IllegalStateException("field " + number + " is not within 15 of the one before");
    }
    return put(step << 4 | type);
  }

  private ThriftWriter varint(long value) {
    room(VARINT_BYTES_MAX);
    size = LittleEndian.putVarint(bytes, size, value);
    return this;
  }

  private ThriftWriter put(int value) {
    room(1);
    bytes[size++] = (byte) value;
    return this;
  }

  private void room(int length) {
    if (size + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + length, 2 * bytes.length));
    }
  }
}
