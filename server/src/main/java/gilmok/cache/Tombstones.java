package gilmok.cache;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys whose source this process has changed, until the others know. As long as the deletion of
 * the shared value is not acknowledged, this process must not use it. Then the other processes must
 * be told, so that they drop what they hold. A mark is removed when both are done, or when nothing
 * that was loaded before the change can be fresh any more. Over {@link #MARKS_MAX} marks, all keys
 * are untrusted for that time, and the others are told to drop everything. Thread-safe.
 */
final class Tombstones {
  static final int MARKS_MAX = 65_536;

  /** Who changes a key settles its mark at once; what is left after this time had no luck. */
  private static final long LEFT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The mark of one change, compared by identity. */
  static final class Mark {
    private final long until;
    private volatile boolean isDeleted;

    private Mark(long until) {
      this.until = until;
    }

    /** Whether the deletion of the shared value is acknowledged. */
    boolean isDeleted() {
      return isDeleted;
    }
  }

  private final ConcurrentHashMap<String, Mark> marks = new ConcurrentHashMap<>();
  private final LongSupplier nanos;
  private final long lifeNanos;
  private volatile Mark all;

  /** Set while the others have to drop everything and have not been told. */
  private final AtomicReference<@Nullable Mark> allUntold = new AtomicReference<>();

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
      allUntold.set(mark);
      marks.clear();
    } else {
      marks.put(key, mark);
    }
    return mark;
  }

  /** The key's mark; null when the shared value is trusted. */
  @Nullable Mark of(String key) {
    long now = nanos.getAsLong();
    Mark mark = marks.get(key);
    if (mark != null) {
      if (now - mark.until >= 0) {
        marks.remove(key, mark);
      } else if (!mark.isDeleted) {
        return mark;
      }
    }
    Mark ofAll = all;
    return now - ofAll.until < 0 ? ofAll : null;
  }

  /** Notes that the deletion for that change was acknowledged. A newer mark stays as it is. */
  @SuppressWarnings("ReferenceEquality") // a mark is compared by identity
  void deleted(String key, Mark mark) {
    if (marks.get(key) == mark) { // not the mark of all keys
      mark.isDeleted = true;
    }
  }

  /** Removes a key's mark: the others know of that change. A newer mark stays. */
  void clear(String key, Mark mark) {
    marks.remove(key, mark);
  }

  /** The marks that nobody has settled for a second; and removes those that are over. */
  Map<String, Mark> left() {
    long now = nanos.getAsLong();
    Map<String, Mark> left = new HashMap<>();
    marks.forEach(
        (key, mark) -> {
          if (now - mark.until >= 0) {
            marks.remove(key, mark);
          } else if (now - (mark.until - lifeNanos) >= LEFT_NANOS) {
            left.put(key, mark);
          }
        });
    return left;
  }

  /** The mark for which the others have to drop everything; null when there is none. */
  @Nullable Mark allUntold() {
    return allUntold.get();
  }

  /** Notes that the others have dropped everything since that mark. A newer one stays. */
  void allTold(Mark mark) {
    allUntold.compareAndSet(mark, null);
  }

  /** The number of marked keys. */
  int size() {
    return marks.size();
  }
}
