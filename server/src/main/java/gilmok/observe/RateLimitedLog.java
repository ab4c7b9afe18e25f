package gilmok.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says that something does not work, but not again for a while: of outages and of bugs each.
 * Thread-safe.
 */
public final class RateLimitedLog {
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final Logger log;
  private final String what;
  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong bugsQuietUntil = new AtomicLong(System.nanoTime());

  /**
   * Nothing was said yet.
   *
   * @param logger by whom it is said
   * @param what what does not work, for the operator
   */
  public RateLimitedLog(String logger, String what) {
    log = System.getLogger(logger);
    this.what = what;
  }

  /** It did not work, for that reason. */
  public void about(Exception why) {
    about(String.valueOf(why.getMessage()));
  }

  /** It did not work, for that reason. */
  public void about(String why) {
    if (isDue(quietUntil)) {
      log.log(Level.WARNING, "{0}: {1}", what, why);
    }
  }

  /** It did not work for a fault of ours, which is shown with where it happened. */
  public void bug(String happened, Throwable bug) {
    if (isDue(bugsQuietUntil)) {
      log.log(Level.ERROR, happened, bug);
    }
  }

  private static boolean isDue(AtomicLong quiet) {
    long now = System.nanoTime();
    long until = quiet.get();
    return now - until >= 0 && quiet.compareAndSet(until, now + QUIET_NANOS);
  }
}
