package gilmok.cache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The streams of a {@link RedisStandIn}: the newest entries of each. Ids are {@code 1-n}.
 * Thread-safe.
 */
final class RedisStandInStreams {
  private static final int ENTRIES_MAX = 1000;

  /** An entry: its number, and names and values in turn. */
  record Entry(long number, List<byte[]> fields) {
    String id() {
      return "1-" + number;
    }
  }

  private final Map<String, Deque<Entry>> streams = new HashMap<>();
  private long added;
  private boolean isClosed;

  /** Adds an entry and returns its id. */
  synchronized String add(String key, List<byte[]> fields) {
    Entry entry = new Entry(++added, fields);
    Deque<Entry> entries = streams.computeIfAbsent(key, k -> new ArrayDeque<>());
    entries.add(entry);
    if (entries.size() > ENTRIES_MAX) {
      entries.remove();
    }
    notifyAll();
    return entry.id();
  }

  /** The newest entry, in a list; none if there is none. */
  synchronized List<Entry> newest(String key) {
    Deque<Entry> entries = streams.get(key);
    return entries == null ? List.of() : List.of(entries.getLast());
  }

  /** The entries after that id; waits for the first of them, at most {@code millis}. */
  synchronized List<Entry> after(String key, String id, int most, long millis)
      throws InterruptedException {
    long from = Long.parseLong(id.substring(id.indexOf('-') + 1));
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (true) {
      List<Entry> found = new ArrayList<>();
      Iterator<Entry> all = streams.getOrDefault(key, new ArrayDeque<>()).iterator();
      while (all.hasNext() && found.size() < most) {
        Entry entry = all.next();
        if (entry.number > from) {
          found.add(entry);
        }
      }
      long left = end - System.nanoTime();
      if (!found.isEmpty() || left <= 0 || isClosed) {
        return found;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Ends all waiting. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }
}
