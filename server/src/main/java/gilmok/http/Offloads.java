package gilmok.http;

import gilmok.background.BackgroundThread;
import gilmok.http.Offload.Part;
import gilmok.observe.Counter;
import gilmok.observe.Meters;
import gilmok.observe.RateLimitedLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The offloads of all parts, and the one thread that enforces their deadlines. Thread-safe. */
public final class Offloads implements AutoCloseable {
  private static final long SWEEP_NANOS = 500_000_000L;

  /** The pause while nothing is in flight; short for any deadline. */
  private static final long IDLE_NANOS = 1_000_000_000L;

  private final Meters meters;
  private final List<Offload> all = new CopyOnWriteArrayList<>();
  private final List<BooleanSupplier> looks = new CopyOnWriteArrayList<>();
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog("gilmok.http", "deadlines of requests are not enforced");
  private final Thread sweeper;
  private volatile boolean closed;

  /** No offloads yet. */
  public Offloads(Meters meters) {
    this.meters = meters;
    sweeper = BackgroundThread.daemon("gilmok-deadlines", this::run);
    sweeper.start();
  }

  /** Makes the offload of a part; from now on it is in the metrics. */
  public Offload of(Part part) {
    Offload one = new Offload(part, meters, BackgroundThread.virtuals("gilmok-" + part.name()));
    all.add(one);
    return one;
  }

  /** Makes the offload of a part, with the usual deadline. */
  public Offload of(String name, String failed, int inFlightMax, @Nullable Counter outages) {
    return of(new Part(name, failed, inFlightMax, outages));
  }

  private void run() {
    boolean isAny = true;
    while (!closed) {
      LockSupport.parkNanos(isAny ? SWEEP_NANOS : IDLE_NANOS);
      isAny = false;
      for (Offload one : all) {
        isAny |= guard(() -> one.sweep(System.nanoTime()));
      }
      for (BooleanSupplier look : looks) {
        isAny |= guard(look);
      }
    }
  }

  /**
   * Has something looked at twice a second, by the same thread; it must not block.
   *
   * @param look returns whether there was anything to be looked at; if not, it may look less often
   */
  public void also(BooleanSupplier look) {
    looks.add(look);
  }

  /** Runs one step; its failure must not stop the deadlines of others. */
  private boolean guard(BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (Throwable bug) {
      try {
        rateLimitedLog.bug(
            "a bug in enforcing the deadlines of requests; the others are still enforced", bug);
      } catch (Throwable unsaid) {
        // Out of memory, for instance: that must not stop them, either.
      }
      return true;
    }
  }

  /** Stops enforcing deadlines; work in flight goes on. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(sweeper);
  }
}
