package gilmok.live;

import java.util.Arrays;
import java.util.Collection;

/**
 * All riders at one time, in the order of their sequences; shared by every reader that has to be
 * told more than {@link Changes} still know. It does not age: whoever has moved since then has
 * another sequence by now, and is found among the changes.
 *
 * <p>Immutable, but for the riders in it.
 */
final class Roll {
  private final long through;
  private final long[] sequences;
  private final Latest[] riders;

  private Roll(long through, long[] sequences, Latest[] riders) {
    this.through = through;
    this.sequences = sequences;
    this.riders = riders;
  }

  /**
   * Calls the roll.
   *
   * @param through the sequence up to which positions are known for certain
   */
  static Roll of(Collection<Latest> everyone, long through) {
    Latest[] found = everyone.toArray(Latest[]::new);
    long[] own = new long[found.length];
    int count = 0;
    for (Latest latest : found) {
      long sequence = latest.sequence();
      if (sequence <= through) {
        own[count] = sequence;
        found[count++] = latest;
      }
    }
    // Sequences differ, so each has its place.
    long[] sorted = Arrays.copyOf(own, count);
    Arrays.sort(sorted);
    Latest[] riders = new Latest[count];
    for (int i = 0; i < count; i++) {
      riders[Arrays.binarySearch(sorted, own[i])] = found[i];
    }
    return new Roll(through, sorted, riders);
  }

  /** Who has walked to the end knows of everything up to here. */
  long through() {
    return through;
  }

  int size() {
    return riders.length;
  }

  long sequence(int index) {
    return sequences[index];
  }

  Latest rider(int index) {
    return riders[index];
  }

  /** The first entry above that sequence; the size if there is none. */
  int after(long sequence) {
    int found = Arrays.binarySearch(sequences, sequence);
    return found < 0 ? ~found : found + 1;
  }
}
