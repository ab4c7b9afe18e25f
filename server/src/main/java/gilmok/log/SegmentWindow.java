package gilmok.log;

import gilmok.storage.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of a file seen through a window that moves: of a segment of any size no more than one
 * window is in memory. Made for reading forwards; going back costs a read.
 *
 * <p>Not thread-safe: owned by whoever opened the file.
 */
final class SegmentWindow {
  /** Most of what a file is seen of at once. */
  static final int BYTES = 1 << 20;

  private final Disk.File file;
  private final long size;
  private final ByteBuffer window;
  private long start;

  SegmentWindow(Disk.File file) throws IOException {
    this(file, BYTES);
  }

  SegmentWindow(Disk.File file, int bytes) throws IOException {
    this.file = file;
    size = file.size();
    window = ByteBuffer.allocate(Math.clamp(size, Long.BYTES, bytes)).limit(0);
  }

  /** The file's length when it was opened. */
  long size() {
    return size;
  }

  int getInt(long at) throws IOException {
    return window.getInt(show(at, Integer.BYTES));
  }

  long getLong(long at) throws IOException {
    return window.getLong(show(at, Long.BYTES));
  }

  /** A copy of some bytes, which fit into a window. */
  ByteBuffer copy(long at, int length) throws IOException {
    ByteBuffer copy = ByteBuffer.allocate(length);
    each(at, length, copy::put);
    return copy.flip();
  }

  /** Adds some bytes to a checksum. */
  void add(long at, long length, CRC32C crc) throws IOException {
    each(at, length, crc::update);
  }

  /** Gives some bytes to a taker, piece by piece. */
  void each(long at, long length, Taker taker) throws IOException {
    long end = at + length;
    for (long from = at; from < end; ) {
      int offset = show(from, 1);
      int piece = (int) Math.min(end - from, window.limit() - offset);
      taker.take(window.duplicate().position(offset).limit(offset + piece));
      from += piece;
    }
  }

  /** Shows all of these bytes at once, if a window is that large. */
  void prefer(long at, long length) throws IOException {
    if (length <= window.capacity()) {
      show(at, (int) length);
    }
  }

  /** Where the zeros begin that fill the file; that place when nothing but zeros is behind it. */
  long endOfBytes(long from) throws IOException {
    long end = from;
    for (long at = from; at < size; ) {
      int offset = show(at, 1);
      int dirty = window.limit();
      while (dirty - Long.BYTES >= offset && window.getLong(dirty - Long.BYTES) == 0) {
        dirty -= Long.BYTES;
      }
      while (dirty > offset && window.get(dirty - 1) == 0) {
        dirty--;
      }
      end = dirty > offset ? start + dirty : end;
      at = start + window.limit();
    }
    return end;
  }

  /** The first place from there on, and before an end, where that number stands; -1 if nowhere. */
  long find(long number, long from, long before) throws IOException {
    long last = Math.min(before, size - Long.BYTES + 1);
    for (long at = from; at < last; ) {
      int offset = show(at, Long.BYTES);
      int end = (int) Math.min(window.limit() - Long.BYTES + 1, last - start);
      for (int i = offset; i < end; i++) {
        if (window.getLong(i) == number) {
          return start + i;
        }
      }
      at = start + end;
    }
    return -1;
  }

  /** Takes a piece of a file. */
  @FunctionalInterface
  interface Taker {
    void take(ByteBuffer piece) throws IOException;
  }

  /** Where in the window a place stands, with so many bytes behind it. */
  private int show(long at, int length) throws IOException {
    if (at < start || at + length > start + window.limit()) {
      if (at < 0 || at + length > size) {
        throw new EOFException("nothing at " + at);
      }
      window.clear().limit((int) Math.min(window.capacity(), size - at));
      start = at;
      while (window.hasRemaining()) {
        if (file.read(window, start + window.position()) < 0) {
          window.clear().limit(0);
          throw new EOFException("the file has become shorter");
        }
      }
      window.flip();
    }
    return (int) (at - start);
  }
}
