package gilmok.documents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Checks SQLite's write-ahead log (WAL) as a killed process left it. This must come before SQLite
 * opens it, as SQLite uses the log up to its first damage and silently drops the rest. The log's
 * index, the file {@code -shm}, says how many frames there must be: SQLite counts a frame there
 * after it was forced. So an index from before a power cut claims too little and never too much.
 *
 * <p>Source: <a href="https://www.sqlite.org/walformat.html">WAL-mode File Format</a>. Not
 * thread-safe.
 */
final class SqliteWalFile {
  private static final int INDEX_HEADER_BYTES = 48;
  private static final int INDEX_BYTES = 136;
  private static final int INDEX_VERSION = 3_007_000;
  private static final int HEADER_BYTES = 32;
  private static final int FRAME_HEADER_BYTES = 24;
  private static final int MAGIC = 0x377f0682;
  private static final int PIECE_BYTES = 1 << 16;

  private final Path file;
  private int sum0;
  private int sum1;

  private SqliteWalFile(Path file) {
    this.file = file;
  }

  /** The path of a database's log. */
  static Path of(Path database) {
    return database.resolveSibling(database.getFileName() + "-wal");
  }

  /** Describes the frames that are lost; null when none are, or when nothing is known. */
  static @Nullable String damage(Path database) throws IOException {
    ByteBuffer index = index(database.resolveSibling(database.getFileName() + "-shm"));
    if (index == null) {
      return null;
    }
    int frames = index.getInt(16);
    int moved = index.getInt(2 * INDEX_HEADER_BYTES);
    if (frames == 0 || Integer.compareUnsigned(moved, frames) >= 0) {
      return null; // all of the log is in the database file
    }
    SqliteWalFile log = new SqliteWalFile(of(database));
    int sound = log.sound(index.slice(32, 8).order(ByteOrder.BIG_ENDIAN), frames);
    return sound < frames && sound >= 0
        ? "of %d frames that were written %d are sound".formatted(frames, sound)
        : null;
  }

  /**
   * Writes the log's bytes again, unchanged, and forces them. A failed fsync before the process
   * ended may have left bytes that can be read but are on no disk; commits behind them would be
   * lost with them. Call it only while this process holds SQLite's write lock.
   */
  static void writeAgain(Path database) throws IOException {
    Path file = of(database);
    if (Files.notExists(file)) {
      return;
    }
    try (FileChannel log =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
      long at = 0;
      while (log.read(piece.clear(), at) > 0) {
        piece.flip();
        while (piece.hasRemaining()) {
          at += log.write(piece, at);
        }
      }
      log.force(true);
    }
  }

  /** The first copy of the index's header and what follows; null when the index says nothing. */
  private static @Nullable ByteBuffer index(Path file) throws IOException {
    if (!Files.isRegularFile(file) || Files.size(file) < INDEX_BYTES) {
      return null;
    }
    ByteBuffer index = ByteBuffer.allocate(INDEX_BYTES).order(ByteOrder.nativeOrder());
    try (FileChannel channel = FileChannel.open(file)) {
      while (index.hasRemaining() && channel.read(index) > 0) {
        // Reads until the buffer is full.
      }
    }
    index.flip();
    SqliteWalFile sums = new SqliteWalFile(file);
    sums.add(index, 0, INDEX_HEADER_BYTES - 8);
    boolean isSound =
        index.limit() == INDEX_BYTES
            && index.getInt(0) == INDEX_VERSION
            && index
                .slice(0, INDEX_HEADER_BYTES)
                .equals(index.slice(INDEX_HEADER_BYTES, INDEX_HEADER_BYTES))
            && index.getInt(40) == sums.sum0
            && index.getInt(44) == sums.sum1;
    return isSound ? index : null;
  }

  /** Counts the intact frames, up to that many; -1 when the log is a later one than the index. */
  private int sound(ByteBuffer salt, int frames) throws IOException {
    if (!Files.isRegularFile(file)) {
      return 0;
    }
    try (FileChannel log = FileChannel.open(file)) {
      ByteBuffer header = read(log, 0, HEADER_BYTES);
      if (header == null || (header.getInt(0) & ~1) != MAGIC) {
        return 0;
      }
      ByteOrder order = header.getInt(0) == MAGIC ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
      add(header.duplicate().order(order), 0, HEADER_BYTES - 8);
      if (header.getInt(24) != sum0 || header.getInt(28) != sum1) {
        return 0;
      }
      if (!header.slice(16, 8).equals(salt.slice(0, 8))) {
        return -1;
      }
      int frameBytes = FRAME_HEADER_BYTES + header.getInt(8);
      for (int i = 0; i < frames; i++) {
        ByteBuffer frame = read(log, HEADER_BYTES + (long) i * frameBytes, frameBytes);
        if (frame == null || !isSound(frame, salt, order)) {
          return i;
        }
      }
      return frames;
    }
  }

  private boolean isSound(ByteBuffer frame, ByteBuffer salt, ByteOrder order) {
    ByteBuffer words = frame.duplicate().order(order);
    add(words, 0, 8);
    add(words, FRAME_HEADER_BYTES, frame.limit() - FRAME_HEADER_BYTES);
    return frame.slice(8, 8).equals(salt.slice(0, 8))
        && frame.getInt(16) == sum0
        && frame.getInt(20) == sum1;
  }

  /** Continues SQLite's checksum, over words in the byte order of the buffer. */
  private void add(ByteBuffer words, int from, int length) {
    for (int at = from; at < from + length; at += 8) {
      sum0 += words.getInt(at) + sum1;
      sum1 += words.getInt(at + 4) + sum0;
    }
  }

  private static @Nullable ByteBuffer read(FileChannel log, long at, int length)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      if (log.read(bytes, at + bytes.position()) <= 0) {
        return null;
      }
    }
    return bytes.flip();
  }
}
