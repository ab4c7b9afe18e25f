package gilmok.sinks.firehose;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses bytes to gzip members (RFC 1952) with one deflater for all: the JDK's stream makes a
 * new one for each, a quarter of a megabyte outside the heap.
 *
 * <p>Not thread-safe: owned by the thread that sends a batch. It must be closed.
 */
final class Gzip implements AutoCloseable {
  /** The most bytes by which a member of at most a record's bytes is longer than its text. */
  static final int EXCESS_BYTES_MAX = 1 << 10;

  private static final int LEVEL = 3;
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int TRAILER_BYTES = 8;

  private final Deflater deflater = new Deflater(LEVEL, true);
  private final CRC32 crc = new CRC32();
  private byte[] out = new byte[16 << 10];

  /** Compresses the first {@code length} bytes to a member. */
  byte[] member(byte[] source, int length) {
    System.arraycopy(HEADER, 0, out, 0, HEADER.length);
    int size = HEADER.length;
    deflater.reset();
    deflater.setInput(source, 0, length);
    deflater.finish();
    while (!deflater.finished()) {
      if (size == out.length) {
        out = Arrays.copyOf(out, 2 * out.length);
      }
      size += deflater.deflate(out, size, out.length - size);
    }
    crc.reset();
    crc.update(source, 0, length);
    byte[] member = Arrays.copyOf(out, size + TRAILER_BYTES);
    ByteBuffer.wrap(member)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(size, (int) crc.getValue())
        .putInt(size + Integer.BYTES, length);
    return member;
  }

  @Override
  public void close() {
    deflater.end();
  }
}
