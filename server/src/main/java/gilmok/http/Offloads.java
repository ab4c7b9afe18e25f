package gilmok.http;

import gilmok.background.BackgroundThread;
import gilmok.http.Offload.Part;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.observe.RateLimitedLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The ways of all parts to leave the event loops, and the one thread that looks after deadlines.
 * Thread-safe.
 */
public final class Offloads implements AutoCloseable {
  private static final long SWEEP_NANOS = 250_000_000L;

  private final Meters meters;
  private final List<Offload> all = new CopyOnWriteArrayList<>();
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog("gilmok.http", "deadlines of requests cannot be looked after");
  private final Thread sweeper;
  private volatile boolean closed;

  /** None yet. */
  public Offloads(Meters meters) {
    this.meters = meters;
    sweeper = BackgroundThread.daemon("gilmok-deadlines", this::run);
    sweeper.start();
  }

  /** The way of a part, known in the metrics from now on. */
  public Offload of(Part part) {
    Offload one = new Offload(part, meters, BackgroundThread.virtuals("gilmok-" + part.name()));
    all.add(one);
    return one;
  }

  /** The way of a part, whose deadline is the usual one. */
  public Offload of(String name, String failed, int inFlightMax, @Nullable Counter outages) {
    return of(new Part(name, failed, inFlightMax, outages));
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(SWEEP_NANOS);
      for (Offload one : all) {
        sweep(one);
      }
    }
  }

  /** What is wrong with one must not end the deadlines of the others. */
  private void sweep(Offload one) {
    try {
      one.sweep(System.nanoTime());
    } catch (Throwable bug) {
      try {
        rateLimitedLog.bug("a deadline was passed over", bug);
      } catch (Throwable unsaid) {
        // As memory is short: nor must that.
      }
    }
  }

  /** Looks after no deadline any more; what is in flight goes on. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(sweeper);
  }
}
