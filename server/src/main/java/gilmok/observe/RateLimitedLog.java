package gilmok.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs failures of one kind, but at most once in a while; outages and bugs are limited separately.
 * Thread-safe.
 */
public final class RateLimitedLog {
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final Logger log;
  private final String what;
  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong bugsQuietUntil = new AtomicLong(System.nanoTime());

  /**
   * A log that has written nothing yet.
   *
   * @param logger the logger's name
   * @param what what does not work, for the operator
   */
  public RateLimitedLog(String logger, String what) {
    log = System.getLogger(logger);
    this.what = what;
  }

  /** Logs an outage with the exception's message. */
  public void about(Exception why) {
    about(String.valueOf(why.getMessage()));
  }

  /** Logs an outage with its reason. */
  public void about(String why) {
    if (isDue(quietUntil)) {
      log.log(Level.WARNING, "{0}: {1}", what, why);
    }
  }

  /** Logs a bug of our own code, with its stack trace. */
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
