package gilmok.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose shared values this process must not use: it changed their source, and the deletion
 * of the shared value is not acknowledged. A mark is removed on that acknowledgement, or when
 * nothing that was loaded before the change can be fresh any more. Over {@link #MARKS_MAX} marks,
 * all keys are untrusted for that time. Thread-safe.
 */
final class Tombstones {
  static final int MARKS_MAX = 65_536;

  /** The mark of one change, compared by identity. */
  static final class Mark {
    private final long until;

    private Mark(long until) {
      this.until = until;
    }
  }

  private final ConcurrentHashMap<String, Mark> marks = new ConcurrentHashMap<>();
  private final LongSupplier nanos;
  private final long lifeNanos;
  private volatile Mark all;

  /**
   * No marks.
   *
   * @param lifeNanos how long a value can be fresh that another process is loading now
   */
  Tombstones(LongSupplier nanos, long lifeNanos) {
    this.nanos = nanos;
    this.lifeNanos = lifeNanos;
    all = new Mark(nanos.getAsLong());
  }

  /** Marks a key as untrusted, from now on. */
  Mark mark(String key) {
    Mark mark = new Mark(nanos.getAsLong() + lifeNanos);
    if (marks.size() >= MARKS_MAX) {
      all = mark; // set before the marks are cleared
      marks.clear();
    } else {
      marks.put(key, mark);
    }
    return mark;
  }

  /** The key's mark; null when it is trusted. */
  @Nullable Mark of(String key) {
    long now = nanos.getAsLong();
    Mark mark = marks.get(key);
    if (mark != null) {
      if (now - mark.until < 0) {
        return mark;
      }
      marks.remove(key, mark);
    }
    Mark ofAll = all;
    return now - ofAll.until < 0 ? ofAll : null;
  }

  /** Removes a key's mark: the deletion for that change was acknowledged. A newer mark stays. */
  void clear(String key, Mark mark) {
    marks.remove(key, mark);
  }

  /** The number of marked keys. */
  int size() {
    return marks.size();
  }
}
