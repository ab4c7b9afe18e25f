package gilmok.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in byte arrays, the most significant byte first. */
final class BigEndian {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  static void putInt(byte[] target, int offset, int value) {
    INT.set(target, offset, value);
  }

  static int getInt(byte[] source, int offset) {
    return (int) INT.get(source, offset);
  }

  static void putLong(byte[] target, int offset, long value) {
    LONG.set(target, offset, value);
  }

  static long getLong(byte[] source, int offset) {
    return (long) LONG.get(source, offset);
  }
}
