package gilmok.observe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/** Says that something does not work, but not again for a while. Thread-safe. */
public final class Complaint {
  private static final long QUIET_NANOS = 10_000_000_000L;

  private final Logger log;
  private final String what;
  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

  /**
   * Nothing was said yet.
   *
   * @param logger by whom it is said
   * @param what what does not work, for the operator
   */
  public Complaint(String logger, String what) {
    log = System.getLogger(logger);
    this.what = what;
  }

  /** It did not work, for that reason. */
  public void about(Exception why) {
    long now = System.nanoTime();
    long until = quietUntil.get();
    if (now - until >= 0 && quietUntil.compareAndSet(until, now + QUIET_NANOS)) {
      log.log(Level.WARNING, "{0}: {1}", what, why.getMessage());
    }
  }
}
