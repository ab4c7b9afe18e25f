package gilmok.positions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The riders that were hidden last, for readers of streams: they are told that those have left. An
 * entry has an index, and the sequence up to which readers knew positions then.
 *
 * <p>Thread-safe.
 */
final class HiddenRing {
  static final int ENTRIES_MAX = 4096;

  private record Entry(RiderKey rider, long through) {}

  private final Deque<Entry> entries = new ArrayDeque<>();
  private long since;
  private volatile long end;

  /** No reader that knows less than that sequence can be told whom it must forget. */
  synchronized void begin(long sequence) {
    since = sequence;
  }

  /** Adds a rider; readers knew positions up to that sequence. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  synchronized void add(RiderKey rider, long through) {
    entries.addLast(new Entry(rider, through));
    if (entries.size() > ENTRIES_MAX) {
      since = entries.removeFirst().through;
    }
    end++;
  }

  /** The index after the newest entry. */
  long end() {
    return end;
  }

  /** Where a reader goes on that knows positions up to that sequence; -1 if it must begin anew. */
  synchronized long after(long told) {
    if (told < since) {
      return -1;
    }
    long index = end - entries.size();
    for (Entry one : entries) {
      if (one.through >= told) {
        return index;
      }
      index++;
    }
    return end;
  }

  /** The riders from that index on; null if they are not all there any more. */
  synchronized @Nullable List<RiderKey> from(long index) {
    long skipped = index - (end - entries.size());
    if (skipped < 0) {
      return null;
    }
    List<RiderKey> all = new ArrayList<>();
    for (Entry one : entries) {
      if (skipped-- <= 0) {
        all.add(one.rider);
      }
    }
    return all;
  }
}
