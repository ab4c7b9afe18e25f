package gilmok.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers in byte arrays, the least significant byte first; and copies that may write past their
 * end.
 */
public final class LittleEndian {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  /** Eight bytes. */
  public static long getLong(byte[] source, int offset) {
    return (long) LONG.get(source, offset);
  }

  /** Four bytes. */
  public static int getInt(byte[] source, int offset) {
    return (int) INT.get(source, offset);
  }

  static int getShort(byte[] source, int offset) {
    return (short) SHORT.get(source, offset) & 0xffff;
  }

  static void putLong(byte[] target, int offset, long value) {
    LONG.set(target, offset, value);
  }

  /** Writes four bytes. */
  public static void putInt(byte[] target, int offset, int value) {
    INT.set(target, offset, value);
  }

  static void putShort(byte[] target, int offset, int value) {
    SHORT.set(target, offset, (short) value);
  }

  /** Writes a varint: 7 bits a byte, the lowest first; returns where it ends. */
  public static int putVarint(byte[] target, int offset, long value) {
    int p = offset;
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      target[p++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[p++] = (byte) rest;
    return p;
  }

  /** Writes a varint of the length and the bytes; returns where they end. */
  static int putBytes(byte[] target, int offset, byte[] source, int start, int length) {
    int p = putVarint(target, offset, length);
    System.arraycopy(source, start, target, p, length);
    return p + length;
  }

  /** Copies bytes; short runs by words, if both arrays have room for 8 bytes more. */
  static void copy(byte[] source, int from, byte[] target, int to, int length) {
    if (length > 64 || from + length + 8 > source.length || to + length + 8 > target.length) {
      System.arraycopy(source, from, target, to, length);
      return;
    }
    for (int i = 0; i < length; i += 8) {
      putLong(target, to + i, getLong(source, from + i));
    }
  }
}
