package gilmok.positions;

import java.util.Arrays;
import java.util.Collection;

/**
 * All riders at one moment, in the order of their sequences. It is shared by all readers that are
 * too far behind for the {@link ChangeRing}. It does not become stale: a rider that has moved since
 * has another sequence by now, and is found among the changes.
 *
 * <p>Immutable, except for the riders in it.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PositionsSnapshot(long through, long[] sequences, LatestPosition[] riders) {
  /**
   * Takes a snapshot of all riders.
   *
   * @param through the sequence up to which all positions are known
   */
  static PositionsSnapshot of(Collection<LatestPosition> everyone, long through) {
    LatestPosition[] found = everyone.toArray(LatestPosition[]::new);
    long[] own = new long[found.length];
    int count = 0;
    for (LatestPosition latest : found) {
      long sequence = latest.sequence();
      if (sequence <= through) {
        own[count] = sequence;
        found[count++] = latest;
      }
    }
    // Sequences are unique, so each can be found again in the sorted copy.
    long[] sorted = Arrays.copyOf(own, count);
    Arrays.sort(sorted);
    LatestPosition[] riders = new LatestPosition[count];
    for (int i = 0; i < count; i++) {
      riders[Arrays.binarySearch(sorted, own[i])] = found[i];
    }
    return new PositionsSnapshot(through, sorted, riders);
  }

  int size() {
    return riders.length;
  }

  long sequence(int index) {
    return sequences[index];
  }

  LatestPosition rider(int index) {
    return riders[index];
  }

  /** The index of the first rider above a sequence; the size if there is none. */
  int after(long sequence) {
    int found = Arrays.binarySearch(sequences, sequence);
    return found < 0 ? ~found : found + 1;
  }
}
