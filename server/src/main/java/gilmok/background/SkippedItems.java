package gilmok.background;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The items that a loop skips, counted. The first few of a minute are named in the log; of the
 * others, only their number and the last one. Owned by the loop's thread, but for {@link #count}.
 */
final class SkippedItems {
  private static final Logger LOG = System.getLogger("gilmok.background");

  /** This many are named in a span; the others are only counted. */
  private static final int NAMED_MAX = 8;

  private static final long SPAN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String loop;
  private final AtomicLong count = new AtomicLong();

  /** How many were named since {@link #sinceNanos}. */
  private int named;

  private long sinceNanos = System.nanoTime();
  private long unnamed;
  private String unnamedItem = "";

  SkippedItems(String loop) {
    this.loop = loop;
  }

  /** How many there were; from any thread. */
  long count() {
    return count.get();
  }

  void add(String item, Throwable why) {
    count.incrementAndGet();
    nameTheRest(false);
    if (named < NAMED_MAX) {
      named++;
      LOG.log(Level.ERROR, loop + ": skipped " + item + ", which cannot be processed", why);
    } else {
      unnamed++;
      unnamedItem = item;
    }
  }

  /**
   * Logs how many were skipped without a name, and begins to name again.
   *
   * @param now also if the minute is not over
   */
  void nameTheRest(boolean now) {
    boolean isOver = System.nanoTime() - sinceNanos >= SPAN_NANOS;
    if (named > 0 && (now || isOver)) {
      sayUnnamed();
      named = 0;
    }
    if (named == 0) {
      sinceNanos = System.nanoTime();
    }
  }

  private void sayUnnamed() {
    if (unnamed > 0) {
      String more = loop + ": skipped " + unnamed + " more, the last of them " + unnamedItem;
      unnamed = 0;
      LOG.log(Level.ERROR, more);
    }
  }
}
