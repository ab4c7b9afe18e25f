package gilmok.deliveries;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/** Says that something does not work, but not again for a while. Thread-safe. */
final class Complaint {
  private static final long QUIET_NANOS = 10_000_000_000L;
  private static final Logger LOG = System.getLogger("gilmok.deliveries");

  private final String what;
  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());

  /**
   * @param what what does not work, for the operator
   */
  Complaint(String what) {
    this.what = what;
  }

  /** It did not work, for that reason. */
  void about(Exception why) {
    long now = System.nanoTime();
    long until = quietUntil.get();
    if (now - until >= 0 && quietUntil.compareAndSet(until, now + QUIET_NANOS)) {
      LOG.log(Level.WARNING, "{0}: {1}", what, why.getMessage());
    }
  }
}
