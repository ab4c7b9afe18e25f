package gilmok.positions;

import gilmok.event.DamagedEvent;
import gilmok.storage.Checkpoint;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Everyone's latest position in a file: the version, below zero; the sequence up to which the log
 * is in it; and for each rider a 1, the sequence, the arrival, the length, the event; at the end a
 * 0. The first form began with the sequence and had none for each rider: such a file is read too,
 * and its riders are given sequences that nobody else has.
 *
 * <p>Not thread-safe: owned by the thread that follows the log.
 */
record SavedPositions(Checkpoint file) {
  private static final Logger LOG = System.getLogger("gilmok.positions");
  private static final long VERSION = -2;
  private static final int EVENT_BYTES_MAX = 1 << 20;

  /** Saves everyone. */
  void save(LatestPositions positions, long sequence) throws IOException, InterruptedException {
    file.replace(
        out -> {
          out.writeLong(VERSION);
          out.writeLong(sequence);
          for (LatestPosition latest : positions.everyone()) {
            out.writeByte(1);
            latest.writeTo(out);
          }
          out.writeByte(0);
        });
  }

  /**
   * Loads what was saved; nobody when there is nothing sound.
   *
   * @param durable the log's last sequence
   * @return the sequence up to which the log is in it; at most {@code durable}
   */
  long load(LatestPositions positions, long durable) throws IOException {
    Long read = null;
    try {
      read = file.read(in -> read(in, positions, durable));
    } catch (DamagedEvent unsound) {
      // Read again from the log, like a snapshot that is missing.
    }
    if (read == null) {
      positions.clear();
      warnOfDamage();
    }
    long sequence = read == null ? 0 : read;
    positions.begin(sequence);
    return sequence;
  }

  private void warnOfDamage() throws IOException {
    if (file.isThere()) {
      LOG.log(
          Level.WARNING,
          "{0} is damaged and not used: latest positions are read again from the log; a rider"
              + " without a record there is unknown until the next position",
          file.path());
    }
  }

  private static long read(DataInputStream in, LatestPositions positions, long durable)
      throws IOException {
    long first = in.readLong();
    boolean isNumbered = first < 0;
    if (isNumbered && first != VERSION) {
      throw new EOFException("of another version");
    }
    long sequence = isNumbered ? in.readLong() : first;
    while (in.readByte() == 1) {
      long own = isNumbered ? in.readLong() : 0;
      long arrivedMillis = in.readLong();
      int length = in.readInt();
      if (length < 0 || length > EVENT_BYTES_MAX) {
        throw new EOFException("no event is that long");
      }
      byte[] event = new byte[length];
      in.readFully(event);
      positions.take(event, 0, length, Math.max(arrivedMillis, 0), own);
    }
    positions.settle(sequence);
    if (!isNumbered || sequence > durable) {
      positions.renumber(Math.min(sequence, durable));
    }
    return Math.min(sequence, durable);
  }
}
