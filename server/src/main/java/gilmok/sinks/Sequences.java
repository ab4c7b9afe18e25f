package gilmok.sinks;

import java.util.Arrays;

/**
 * Ascending sequences, kept as runs of consecutive ones.
 *
 * <p>Not thread-safe.
 */
public final class Sequences {
  private long[] bounds = new long[4];
  private int runs;
  private long count;

  /** Adds a sequence, which must be larger than all before. */
  public void add(long sequence) {
    add(sequence, sequence);
  }

  /** Adds a run, which must come after all before. */
  public void add(long first, long last) {
    if (last < first || (runs > 0 && first <= last(runs - 1))) {
      throw new IllegalArgumentException(first + " to " + last + " is not behind what is there");
    }
    count += last - first + 1;
    if (runs > 0 && first == last(runs - 1) + 1) {
      bounds[2 * runs - 1] = last;
      return;
    }
    if (2 * runs == bounds.length) {
      bounds = Arrays.copyOf(bounds, 4 * runs);
    }
    bounds[2 * runs] = first;
    bounds[2 * runs + 1] = last;
    runs++;
  }

  /** The number of runs. */
  public int runs() {
    return runs;
  }

  /** The number of sequences. */
  public long count() {
    return count;
  }

  /** The first sequence of a run. */
  public long first(int run) {
    return bounds[2 * run];
  }

  /** The last sequence of a run. */
  public long last(int run) {
    return bounds[2 * run + 1];
  }

  /** Whether a sequence is among them. */
  public boolean contains(long sequence) {
    int low = 0;
    int high = runs - 1;
    while (low <= high) {
      int run = (low + high) >>> 1;
      if (sequence < first(run)) {
        high = run - 1;
      } else if (sequence > last(run)) {
        low = run + 1;
      } else {
        return true;
      }
    }
    return false;
  }
}
