package gilmok.positions;

import java.util.Arrays;

/**
 * All riders at one moment, in the order of their sequences. It is shared by all readers that are
 * too far behind for the {@link ChangeRing}. It does not become stale: a rider that has moved since
 * has another sequence by now, and is found among the changes.
 *
 * <p>Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PositionsSnapshot(long through, long[] sequences, int[] riders) {
  /**
   * Takes a snapshot of all riders.
   *
   * @param through the sequence up to which all positions are known
   */
  static PositionsSnapshot of(LatestPositions positions, long through) {
    int numbers = positions.numbers();
    int[] found = new int[numbers];
    long[] own = new long[numbers];
    int count = 0;
    for (int number = 0; number < numbers; number++) {
      long sequence = positions.sequence(number);
      if (sequence <= through) {
        own[count] = sequence;
        found[count++] = number;
      }
    }
    // Sequences are unique, so each can be found again in the sorted copy.
    long[] sorted = Arrays.copyOf(own, count);
    Arrays.sort(sorted);
    int[] riders = new int[count];
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

  /** The rider's number. */
  int rider(int index) {
    return riders[index];
  }

  /** The index of the first rider above a sequence; the size if there is none. */
  int after(long sequence) {
    int found = Arrays.binarySearch(sequences, sequence);
    return found < 0 ? ~found : found + 1;
  }
}
