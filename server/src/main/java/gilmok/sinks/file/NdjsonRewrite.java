package gilmok.sinks.file;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import gilmok.storage.Disk;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file of lines anew without some of them, or with others in their place.
 *
 * <p>Not thread-safe.
 */
final class NdjsonRewrite {
  private static final int LEVEL = 1;
  private static final int CHUNK_BYTES = 128 << 10;

  /** The most bytes of a line: a record of the log, with all its bytes escaped. */
  private static final int LINE_BYTES_MAX = 128 << 20;

  private final Disk disk;
  private final ByteBuffer buffer;
  private final ErasedRows rows;
  private final HourCompaction.Pace pace;
  private long linesGone;
  private long linesChanged;
  private long linesLeft;

  NdjsonRewrite(Disk disk, ByteBuffer buffer, ErasedRows rows, HourCompaction.Pace pace) {
    this.disk = disk;
    this.buffer = buffer;
    this.rows = rows;
    this.pace = pace;
  }

  long linesGone() {
    return linesGone;
  }

  long linesChanged() {
    return linesChanged;
  }

  long linesLeft() {
    return linesLeft;
  }

  /** Takes a line without its end; returns whether to go on. */
  @FunctionalInterface
  private interface Taker {
    boolean take(byte[] bytes, int offset, int length) throws IOException;
  }

  /** Whether any line of a file changes. */
  boolean changes(Path path) throws IOException, InterruptedException {
    boolean[] isAny = {false};
    read(
        path,
        (bytes, offset, length) -> {
          isAny[0] = rows.left(bytes, offset, length) != null;
          return !isAny[0];
        });
    return isAny[0];
  }

  /** Writes what is left of a file; complete and forced on return. */
  void write(Path path, Path target) throws IOException, InterruptedException {
    try (FileOutput out = new FileOutput(disk.create(target), buffer)) {
      ZstdOutputStreamNoFinalizer zstd =
          new ZstdOutputStreamNoFinalizer(out, RecyclingBufferPool.INSTANCE, LEVEL);
      try {
        zstd.setChecksum(true);
        read(path, (bytes, offset, length) -> put(bytes, offset, length, zstd));
      } finally {
        zstd.closeWithoutClosingParentStream();
      }
      out.force();
    }
  }

  private boolean put(byte[] bytes, int offset, int length, ZstdOutputStreamNoFinalizer zstd)
      throws IOException {
    byte @Nullable [] left = rows.left(bytes, offset, length);
    if (left != null && left.length == 0) {
      linesGone++;
      return true;
    }
    if (left == null) {
      zstd.write(bytes, offset, length);
    } else {
      linesChanged++;
      zstd.write(left, 0, left.length);
    }
    zstd.write('\n');
    linesLeft++;
    return true;
  }

  private void read(Path path, Taker taker) throws IOException, InterruptedException {
    try (InputStream file = new FileInput(disk.openForReading(path));
        ZstdInputStreamNoFinalizer zstd =
            new ZstdInputStreamNoFinalizer(file, RecyclingBufferPool.INSTANCE)) {
      byte[] bytes = new byte[CHUNK_BYTES];
      int from = 0;
      int to = 0;
      int count = zstd.read(bytes, to, bytes.length - to);
      while (count >= 0) {
        int end = to + count;
        for (int at = to; at < end; at++) {
          if (bytes[at] == '\n') {
            if (!taker.take(bytes, from, at - from)) {
              return;
            }
            from = at + 1;
          }
        }
        System.arraycopy(bytes, from, bytes, 0, end - from);
        to = end - from;
        from = 0;
        if (to == bytes.length) {
          if (to >= LINE_BYTES_MAX) {
            throw new IOException(path + " has a line of more than " + LINE_BYTES_MAX + " bytes");
          }
          bytes = Arrays.copyOf(bytes, 2 * to);
        }
        pace.rest();
        count = zstd.read(bytes, to, bytes.length - to);
      }
      if (to > 0) {
        throw new IOException(path + " ends in the middle of a line");
      }
    }
  }

  /** A file of the disk, from its beginning on. */
  private static final class FileInput extends InputStream {
    private final Disk.File file;
    private long position;

    FileInput(Disk.File file) {
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = length == 0 ? 0 : file.read(ByteBuffer.wrap(target, offset, length), position);
      position += Math.max(0, count);
      return count;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
