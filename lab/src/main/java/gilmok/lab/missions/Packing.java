package gilmok.lab.missions;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;

/**
 * Gzip at the lowest cost that the JDK allows: the deflater and its output buffer are reused. Not
 * thread-safe, except for the static methods.
 */
final class Packing {
  private static final int HEAD_BYTES = 10;
  private static final int TAIL_BYTES = 8;
  private static final int IDLE_MAX = 64;
  private static final int LEVELS = 10;

  /** Idle instances, by level. */
  private static final List<ArrayBlockingQueue<Packing>> IDLE =
      IntStream.range(0, LEVELS)
          .mapToObj(level -> new ArrayBlockingQueue<Packing>(IDLE_MAX))
          .toList();

  private final Deflater deflater;
  private final CRC32 crc = new CRC32();
  private byte[] room = new byte[64 << 10];

  private Packing(int level) {
    deflater = new Deflater(level, true);
  }

  /**
   * Compresses bytes with a reused instance.
   *
   * @param level 1 to 9
   */
  static byte[] gzip(byte[] plain, int level) {
    ArrayBlockingQueue<Packing> idle = IDLE.get(level);
    Packing known = idle.poll();
    Packing packing = known == null ? new Packing(level) : known;
    byte[] packed = packing.gzip(plain);
    if (!idle.offer(packing)) {
      packing.deflater.end();
    }
    return packed;
  }

  private byte[] gzip(byte[] plain) {
    deflater.reset();
    deflater.setInput(plain);
    deflater.finish();
    int size = HEAD_BYTES;
    while (!deflater.finished()) {
      if (room.length - size < TAIL_BYTES + 1) {
        room = Arrays.copyOf(room, 2 * room.length);
      }
      size += deflater.deflate(room, size, room.length - TAIL_BYTES - size);
    }
    crc.reset();
    crc.update(plain);
    byte[] packed = Arrays.copyOf(room, size + TAIL_BYTES);
    Arrays.fill(packed, 0, HEAD_BYTES, (byte) 0);
    packed[0] = 0x1f;
    packed[1] = (byte) 0x8b;
    packed[2] = 8;
    packed[9] = (byte) 255;
    put(packed, size, (int) crc.getValue());
    put(packed, size + 4, plain.length);
    return packed;
  }

  private static void put(byte[] bytes, int at, int value) {
    for (int i = 0; i < 4; i++) {
      bytes[at + i] = (byte) (value >>> (8 * i));
    }
  }

  /** Decompresses bytes. */
  static byte[] gunzip(byte[] packed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed), 8 << 10)) {
      return in.readAllBytes();
    }
  }
}
