package gilmok.positions;

import gilmok.event.DamagedEvent;
import gilmok.geo.PointE7;
import gilmok.storage.Checkpoint;
import gilmok.storage.NewerFormatException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The latest positions of all riders in a file. The file holds the version, a negative number; the
 * sequence up to which the log is covered; about how many riders there are; for each rider a 1, the
 * sequence, the arrival, the length and the event; and a 0 at the end. Older files can still be
 * read: the second version of the format did not say how many riders there are; the first began
 * with the covered sequence and had no sequence for each rider, so its riders are given unique
 * ones.
 *
 * <p>Not thread-safe: one thread loads or saves at a time.
 */
record SavedPositions(Checkpoint file) {
  private static final Logger LOG = System.getLogger("gilmok.positions");
  private static final long VERSION = -3;
  private static final long UNCOUNTED = -2;
  private static final int EVENT_BYTES_MAX = 1 << 20;
  private static final int NUMBER_MASK = (1 << RiderTable.NUMBER_BITS) - 1;

  /**
   * Saves all positions, beside the thread that changes them: of a rider, the file has the position
   * of some moment during the save. What came after {@code sequence} is read from the log again,
   * which changes nothing for riders that are newer here (a fuzzy checkpoint: C. Mohan and others,
   * ARIES, ACM TODS 17, 1992).
   *
   * @param sequence every position up to it has been taken
   */
  void save(LatestPositions positions, long sequence) throws IOException, InterruptedException {
    file.replace(
        out -> {
          out.writeLong(VERSION);
          out.writeLong(sequence);
          out.writeInt(positions.size());
          PositionCopy copy = new PositionCopy();
          for (long key : byPlace(positions)) {
            if (positions.copy((int) key & NUMBER_MASK, copy)) {
              out.writeByte(1);
              copy.writeTo(out);
            }
          }
          out.writeByte(0);
        });
  }

  /** Gives every rider's encoded position, as it is at some moment meanwhile. */
  static void each(LatestPositions positions, Consumer<byte[]> events) {
    PositionCopy copy = new PositionCopy();
    for (int number = 0; number < positions.numbers(); number++) {
      if (positions.copy(number, copy)) {
        events.accept(copy.event());
      }
    }
  }

  /**
   * All numbers in their lower bits, neighbours on Earth one after the other: a start that reads
   * them in this order makes the index four times as fast.
   */
  private static long[] byPlace(LatestPositions positions) {
    long[] keys = new long[positions.numbers()];
    for (int number = 0; number < keys.length; number++) {
      long place = PointE7.zOrder(positions.index().point(number));
      keys[number] = (place << RiderTable.NUMBER_BITS) | number;
    }
    Arrays.sort(keys);
    return keys;
  }

  /**
   * Loads the saved positions; none if the file is missing or damaged.
   *
   * @param durable the log's last sequence
   * @param highest no rider of a sound file has a higher sequence
   * @return the sequence up to which the file covers the log; at most {@code durable}
   */
  long load(LatestPositions positions, long durable, long highest) throws IOException {
    Long read = null;
    try {
      read = file.read(in -> read(in, positions, durable, highest, file.path()));
    } catch (DamagedEvent unsound) {
      // A damaged file is treated as a missing one: the positions are read from the log again.
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

  private static long read(
      DataInputStream in, LatestPositions positions, long durable, long highest, Path file)
      throws IOException {
    long first = in.readLong();
    boolean isNumbered = first < 0;
    if (first < VERSION) {
      throw new NewerFormatException(file, -first, -VERSION);
    }
    if (isNumbered && first != VERSION && first != UNCOUNTED) {
      throw new EOFException("of no version");
    }
    long sequence = isNumbered ? in.readLong() : first;
    positions.reserve(first == VERSION ? in.readInt() : 0);
    boolean isAhead = sequence > durable;
    byte[] event = new byte[1024];
    while (in.readByte() == 1) {
      long own = isNumbered ? in.readLong() : 0;
      long arrivedMillis = in.readLong();
      int length = in.readInt();
      if (length < 0 || length > EVENT_BYTES_MAX) {
        throw new EOFException("no event is that long");
      }
      if (length > event.length) {
        event = new byte[length];
      }
      in.readFully(event, 0, length);
      isAhead |= own > highest;
      positions.take(event, 0, length, Math.max(arrivedMillis, 0), own);
    }
    positions.settle(sequence);
    if (!isNumbered || isAhead) {
      positions.renumber(Math.min(sequence, durable));
    }
    return Math.min(sequence, durable);
  }
}
