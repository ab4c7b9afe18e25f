package gilmok.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose shared values this process must not take: it changed the source, and is not sure
 * that what the others share was deleted. A mark goes when that is certain, or when whatever was
 * loaded before the change can be fresh no more. When there are too many, all keys are untrusted
 * for that long. Thread-safe.
 */
final class Tombstones {
  static final int MARKS_MAX = 65_536;

  /** Why a key is untrusted: one change, known by its identity. */
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
   * None.
   *
   * @param lifeNanos how long a value can be fresh that is being loaded by another process
   */
  Tombstones(LongSupplier nanos, long lifeNanos) {
    this.nanos = nanos;
    this.lifeNanos = lifeNanos;
    all = new Mark(nanos.getAsLong());
  }

  /** Marks a key. */
  Mark mark(String key) {
    Mark mark = new Mark(nanos.getAsLong() + lifeNanos);
    if (marks.size() >= MARKS_MAX) {
      all = mark; // before the others go
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

  /** It is certain that what the others share is newer than that change. */
  void clear(String key, Mark mark) {
    marks.remove(key, mark);
  }

  /** How many keys there are. */
  int size() {
    return marks.size();
  }
}
