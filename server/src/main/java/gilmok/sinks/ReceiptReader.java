package gilmok.sinks;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads receipts from files and frames, and keeps the one that is sought. It takes any bytes and
 * ends with the last sound frame.
 *
 * <p>Not thread-safe: one for each search.
 */
final class ReceiptReader {
  static final long MAGIC = 0x67696c6d6f6b5231L;
  static final int MAGIC_BYTES = 8;

  /** The format of {@link #MAGIC}, whose last byte is its digit. */
  static final int FORMAT = 1;

  static final int FRAME_HEAD_BYTES = 8;

  /** The most bytes that are read at once. */
  private static final int BYTES_MAX = 1 << 24;

  private final long sought;
  private byte[] bytes = {};
  private int p;
  private int end;
  private int[] places = new int[32];
  private int placeCount;

  /** The last receipt that has the sought sequence; null when none has. */
  @Nullable Receipt found;

  /** The lowest sequence read. */
  long min = Long.MAX_VALUE;

  /** The highest sequence read. */
  long max = Long.MIN_VALUE;

  /** When the newest receipt read was settled, epoch ms; 0 for none. */
  long lastMillis;

  /** A search for the receipt of one sequence; 0 seeks none. */
  ReceiptReader(long sought) {
    this.sought = sought;
  }

  /** Reads the sound frames of a file up to a position; returns where they end. */
  long read(Disk.File file, long through) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) Math.min(through, BYTES_MAX));
    while (all.hasRemaining() && file.read(all, all.position()) >= 0) {
      // Reads until the buffer is full.
    }
    all.flip();
    if (all.remaining() < MAGIC_BYTES || all.getLong(0) != MAGIC) {
      return 0;
    }
    CRC32C crc = new CRC32C();
    int at = MAGIC_BYTES;
    while (all.limit() - at >= FRAME_HEAD_BYTES) {
      int length = all.getInt(at);
      int from = at + FRAME_HEAD_BYTES;
      if (length <= 0 || length > all.limit() - from) {
        break;
      }
      crc.reset();
      crc.update(all.array(), from, length);
      if ((int) crc.getValue() != all.getInt(at + 4)) {
        break;
      }
      frame(all.array(), from, length);
      at = from + length;
    }
    return at;
  }

  /** Reads one frame's receipts. */
  void frame(byte[] source, int offset, int length) {
    bytes = source;
    p = offset;
    end = offset + length;
    placeCount = 0;
    long millis = 0;
    long sequence = 0;
    while (p < end) {
      long head = varint();
      int place = place(head >>> 2);
      millis += unzigzag(varint());
      lastMillis = Math.max(lastMillis, millis);
      int runs = (int) varint();
      int runsAt = p;
      long before = sequence;
      boolean isSought = false;
      for (int run = 0; run < runs; run++) {
        long first = sequence + unzigzag(varint());
        sequence = first + varint();
        min = Math.min(min, first);
        max = Math.max(max, sequence);
        isSought |= sought >= first && sought <= sequence;
      }
      if (isSought) {
        found = receipt((int) head & 3, millis, place, runs, runsAt, before);
      }
    }
  }

  private Receipt receipt(int code, long millis, int place, int runs, int runsAt, long before) {
    int next = p;
    p = runsAt;
    Sequences sequences = new Sequences();
    long sequence = before;
    for (int run = 0; run < runs; run++) {
      long first = sequence + unzigzag(varint());
      sequence = first + varint();
      sequences.add(first, sequence);
    }
    p = place;
    int length = (int) varint();
    String text = new String(bytes, p, length, StandardCharsets.UTF_8);
    p = next;
    return new Receipt(sequences, ReceiptFrame.outcome(code), millis, text);
  }

  /** Where the text of a place starts with its length; 0 when the text follows here. */
  private int place(long number) {
    if (number > 0) {
      return places[(int) number - 1];
    }
    if (placeCount == places.length) {
      places = Arrays.copyOf(places, 2 * placeCount);
    }
    int at = p;
    places[placeCount++] = at;
    int length = (int) varint();
    p += length;
    return at;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = bytes[p++];
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
  }

  private static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
