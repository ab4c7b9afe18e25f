package gilmok.positions;

import java.util.Arrays;
import java.util.Collection;

/**
 * All riders at one time, in the order of their sequences; shared by every reader that has to be
 * told more than {@link ChangeRing} still know. It does not age: whoever has moved since then has
 * another sequence by now, and is found among the changes.
 *
 * <p>Immutable, but for the riders in it.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PositionsSnapshot(long through, long[] sequences, LatestPosition[] riders) {
  /**
   * Calls the roll.
   *
   * @param through the sequence up to which positions are known for certain
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
    // Sequences differ, so each has its place.
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

  /** The first entry above that sequence; the size if there is none. */
  int after(long sequence) {
    int found = Arrays.binarySearch(sequences, sequence);
    return found < 0 ? ~found : found + 1;
  }
}
