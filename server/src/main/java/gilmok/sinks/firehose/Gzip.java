package gilmok.sinks.firehose;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Bytes as members of gzip (RFC 1952), with one deflater for all: the JDK's stream makes its own, a
 * quarter of a megabyte outside the heap, for each.
 *
 * <p>Not thread-safe: belongs to who sends a batch. Close it.
 */
final class Gzip implements AutoCloseable {
  /** So much longer than its text a member of up to a record's bytes is at most. */
  static final int EXCESS_BYTES_MAX = 1 << 10;

  private static final int LEVEL = 3;
  private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
  private static final int TRAILER_BYTES = 8;

  private final Deflater deflater = new Deflater(LEVEL, true);
  private final CRC32 crc = new CRC32();
  private byte[] out = new byte[16 << 10];

  /** The first so many bytes as a member. */
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
