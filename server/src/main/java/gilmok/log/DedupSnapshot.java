package gilmok.log;

import gilmok.storage.Checkpoint;
import gilmok.storage.NewerFormatException;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Saves the deduplication table and rebuilds it at the start, from the snapshot and the records
 * after it. The table is copied in pieces, so that no append waits for the whole copy.
 *
 * <p>Not thread-safe: owned by the log's housekeeper.
 */
final class DedupSnapshot {
  private static final Logger LOGGER = System.getLogger("gilmok.log");
  private static final int PIECE = 8192;

  /** The format, which has no number in the file: a newer one begins with its negative. */
  private static final int FORMAT = 1;

  private final Checkpoint file;
  private volatile long sequence;
  private long insertedThen;

  DedupSnapshot(Checkpoint file) {
    this.file = file;
  }

  /** Every record up to this sequence is in the snapshot, or is too old for the table. */
  long sequence() {
    return sequence;
  }

  /**
   * A table with the keys of the snapshot; an empty one when the snapshot is missing or damaged.
   *
   * @param oldest the oldest sequence in the log: without the snapshot, older keys are no longer
   *     known
   */
  DedupTable load(int capacity, long oldest) throws IOException {
    Loaded saved = file.read(in -> read(in, capacity, file.path()));
    if (saved == null && (oldest > 1 || file.isThere())) {
      LOGGER.log(
          Level.WARNING,
          "{0} is {1}; it is made again from the log{2}",
          file.path(),
          file.isThere() ? "damaged" : "gone",
          oldest > 1
              ? ": a record from before " + oldest + " is stored twice if a phone sends it again"
              : "");
    }
    sequence = saved == null ? 0 : saved.sequence();
    return saved == null ? new DedupTable(capacity) : saved.dedupTable();
  }

  /** Saves at shutdown. If this fails, the next start rebuilds the table from the log. */
  void trySave(AppendQueue queue, LongSupplier durable) throws InterruptedException {
    try {
      save(queue, durable);
    } catch (IOException unsaved) {
      LOGGER.log(
          Level.WARNING,
          "the dedup table could not be saved; nothing is lost, the next start takes longer: {0}",
          unsaved.getMessage());
    }
  }

  /**
   * Adds the keys of the records after the snapshot, as far back as the log goes.
   *
   * @param saved the table as {@link #load} returned it
   * @param last the last sequence in the log
   * @param tooOld all records up to that sequence are too old for the table
   */
  DedupTable catchUp(
      DedupTable saved, long last, long tooOld, LongFunction<LogReader> readers, RecordKeys keys)
      throws IOException {
    // A key that is in the snapshot and was sent again since would keep its old place and be
    // evicted too early. When the whole snapshot would be evicted, begin without it.
    boolean outdated = sequence < tooOld;
    DedupTable dedupTable = outdated ? new DedupTable(saved.capacity()) : saved;
    long[] key = new long[2];
    try (LogReader reader = readers.apply(Math.max(sequence, tooOld) + 1)) {
      while (reader.nextEntry()) {
        reader.key(keys, key);
        dedupTable.add(key[0], key[1], reader.receivedAtMillis());
      }
    }
    insertedThen = sequence == last ? dedupTable.inserted() : -1;
    return dedupTable;
  }

  /**
   * Saves the table as it is now.
   *
   * @param durable the last durable sequence. The snapshot is published only when all its records
   *     are durable: otherwise a repeat of a record that a power loss took would be answered as if
   *     the record were there
   */
  void save(AppendQueue queue, LongSupplier durable) throws IOException, InterruptedException {
    AppendQueue.Point now = queue.point();
    if (now.inserted() == insertedThen) {
      return;
    }
    file.replace(
        out -> {
          write(out, queue, now);
          while (durable.getAsLong() < now.sequence()) {
            LockSupport.parkNanos(1_000_000);
            if (Thread.interrupted()) {
              throw new InterruptedException();
            }
          }
        });
    sequence = now.sequence();
    insertedThen = now.inserted();
  }

  private static void write(DataOutputStream out, AppendQueue queue, AppendQueue.Point now)
      throws IOException {
    out.writeLong(now.sequence());
    out.writeLong(queue.withRepeats(dedupTable -> dedupTable.oldestMillis(0)));
    long[] piece = new long[2 * PIECE];
    byte[] bytes = new byte[16 * PIECE];
    int[] count = new int[1];
    for (long at = 0; at < now.inserted(); ) {
      long from = at;
      at = queue.withRepeats(dedupTable -> dedupTable.copy(from, now.inserted(), piece, count));
      for (int i = 0; i < 2 * count[0]; i++) {
        BigEndian.putLong(bytes, 8 * i, piece[i]);
      }
      if (count[0] > 0) {
        out.writeInt(count[0]);
        out.write(bytes, 0, 16 * count[0]);
      }
    }
    out.writeInt(0);
  }

  private record Loaded(long sequence, DedupTable dedupTable) {}

  private static Loaded read(DataInputStream in, int capacity, Path path) throws IOException {
    DedupTable dedupTable = new DedupTable(capacity);
    long last = in.readLong();
    NewerFormatException.check(path, last, FORMAT);
    long oldestMillis = in.readLong();
    byte[] bytes = new byte[16 * PIECE];
    for (int count = in.readInt(); count != 0; count = in.readInt()) {
      if (count < 0 || count > PIECE) {
        throw new EOFException("no piece of a snapshot is that long");
      }
      in.readFully(bytes, 0, 16 * count);
      for (int i = 0; i < 2 * count; i += 2) {
        dedupTable.add(
            BigEndian.getLong(bytes, 8 * i), BigEndian.getLong(bytes, 8 * i + 8), oldestMillis);
      }
    }
    return new Loaded(last, dedupTable);
  }
}
