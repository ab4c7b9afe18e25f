package gilmok.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The arguments of a script, encoded as they go over the wire in one buffer. So thousands of
 * arguments cost no object and no call of the driver each.
 *
 * <p>Not thread-safe. It belongs to the {@link RedisCall} it is given to, and must not change until
 * that call is answered.
 */
public final class ScriptArguments {
  /** A dollar sign, the digits of a length, and two line ends. */
  private static final int FRAME_BYTES_MAX = 1 + 10 + 2 + 2;

  private static final int NUMBER_BYTES_MAX = 20;

  private byte[] bytes;
  private int size;
  private int count;

  /**
   * No arguments yet.
   *
   * @param bytesExpected the buffer's first size; it grows
   */
  public ScriptArguments(int bytesExpected) {
    bytes = new byte[Math.max(64, bytesExpected)];
  }

  /**
   * Removes all arguments, so that the buffer can be used again. Only when every call that was
   * given them has been answered.
   */
  public ScriptArguments clear() {
    size = 0;
    count = 0;
    return this;
  }

  /** Adds bytes as one argument; they are copied. */
  public ScriptArguments add(byte[] source, int offset, int length) {
    begin(length, length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
    return end();
  }

  /** Adds a text, encoded in UTF-8, as one argument. */
  public ScriptArguments add(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return add(utf8, 0, utf8.length);
  }

  /** Adds an integer in decimal digits as one argument; not {@link Long#MIN_VALUE}. */
  public ScriptArguments add(long number) {
    long magnitude = Math.abs(number);
    begin(digits(magnitude) + (number < 0 ? 1 : 0), NUMBER_BYTES_MAX);
    if (number < 0) {
      bytes[size++] = '-';
    }
    decimal(magnitude);
    return end();
  }

  private void begin(int length, int room) {
    int needed = size + room + FRAME_BYTES_MAX;
    if (needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
    }
    bytes[size++] = '$';
    decimal(length);
    line();
  }

  private ScriptArguments end() {
    line();
    count++;
    return this;
  }

  private void line() {
    bytes[size++] = '\r';
    bytes[size++] = '\n';
  }

  private void decimal(long magnitude) {
    int end = size + digits(magnitude);
    long rest = magnitude;
    for (int p = end - 1; p >= size; p--) {
      bytes[p] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    size = end;
  }

  private static int digits(long magnitude) {
    int digits = 1;
    for (long rest = magnitude / 10; rest != 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /** The number of arguments. */
  public int count() {
    return count;
  }

  /** How many bytes the arguments take on the wire. */
  public int bytes() {
    return size;
  }

  /** An empty argument list of the driver, which writes these arguments after those added to it. */
  CommandArgs<byte[], byte[]> afterOthers() {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE) {
      @Override
      public int count() {
        return super.count() + ScriptArguments.this.count;
      }

      @Override
      public void encode(ByteBuf out) {
        super.encode(out);
        out.writeBytes(ScriptArguments.this.bytes, 0, ScriptArguments.this.size);
      }
    };
  }
}
