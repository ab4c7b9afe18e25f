package gilmok.log;

import gilmok.storage.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of a file, seen through a moving window: at most one window is in memory, whatever the
 * file's size. Made for reading forwards; going back costs a read.
 *
 * <p>Not thread-safe: owned by the thread that opened the file.
 */
final class SegmentWindow {
  /** The window's size: the most bytes in memory at once. */
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

  /** Copies bytes that fit into a window. */
  ByteBuffer copy(long at, int length) throws IOException {
    ByteBuffer copy = ByteBuffer.allocate(length);
    each(at, length, copy::put);
    return copy.flip();
  }

  /** Adds some bytes to a checksum. */
  void add(long at, long length, CRC32C crc) throws IOException {
    each(at, length, crc::update);
  }

  /** Passes bytes to a taker, piece by piece. */
  void each(long at, long length, Taker taker) throws IOException {
    long end = at + length;
    for (long from = at; from < end; ) {
      int offset = show(from, 1);
      int piece = (int) Math.min(end - from, window.limit() - offset);
      taker.take(window.duplicate().position(offset).limit(offset + piece));
      from += piece;
    }
  }

  /** Moves the window so that it holds all of these bytes, if it is large enough. */
  void prefer(long at, long length) throws IOException {
    if (length <= window.capacity()) {
      show(at, (int) length);
    }
  }

  /**
   * Where the zeros that fill the rest of the file begin; {@code from} when there are only zeros.
   */
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

  /** The first place in a range where that number is; -1 if there is none. */
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

  /**
   * Moves the window if needed; returns where in it a position is, with that many bytes after it.
   */
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
