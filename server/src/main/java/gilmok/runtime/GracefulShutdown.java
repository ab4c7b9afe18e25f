package gilmok.runtime;

import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.warmup.Drainable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * A server's way out: it says that it is not ready, serves for a while all the same, and then has
 * its parts finish, one after the other. Thread-safe.
 */
public final class GracefulShutdown {
  private static final Logger LOG = System.getLogger("gilmok");

  /**
   * What each part is given when those before it have used up all patience, and when nobody was
   * served yet.
   */
  public static final Duration LEAST = Duration.ofSeconds(1);

  private static final long LOOK_NANOS = 20_000_000L;

  private final StopConfig settings;
  private final Readiness readiness;
  private volatile Phase phase = Phase.WARMING;
  private volatile boolean isEarly;

  /** Where a server is in its life. Before the first it has no port, after the last none either. */
  private enum Phase {
    WARMING,
    SERVING,
    /** Not ready, and everything is answered. */
    LEAVING,
    /** What is new is refused, what has begun is finished. */
    DRAINING
  }

  public GracefulShutdown(StopConfig settings, Readiness readiness, Meters meters) {
    this.settings = settings;
    this.readiness = readiness;
    for (Phase one : Phase.values()) {
      meters.gauge(
          "gilmok_life_state",
          "1 for where the server is in its life.",
          () -> phase == one ? 1 : 0,
          "state",
          one.name().toLowerCase(Locale.ROOT));
    }
  }

  /** It is warm. */
  public void serving() {
    phase = Phase.SERVING;
  }

  /** It is to stop; if it serves nobody yet, without waiting for anybody. From any thread. */
  public void hurry() {
    isEarly = phase == Phase.WARMING;
    readiness.notReady("server", "stopping");
  }

  /** Whether it was told to stop before it served anybody: nothing new came that is to go on. */
  public boolean isEarly() {
    return isEarly;
  }

  /**
   * Goes: on return nothing is under way any more. A part that cannot end is named, and keeps none
   * of the others from it. Once, on the stopping thread.
   */
  public void run(List<Drainable> parts) throws InterruptedException {
    readiness.notReady("server", "stopping");
    phase = Phase.LEAVING;
    if (settings.grace().isPositive() && !isEarly) {
      LOG.log(
          Level.INFO, "not ready any more; serving for another {0} (stop.grace)", settings.grace());
      await(settings.grace());
    }
    phase = Phase.DRAINING;
    Duration patience = isEarly ? shorter(LEAST, settings.patience()) : settings.patience();
    long until = System.nanoTime() + patience.toNanos();
    for (Drainable part : parts) {
      Duration left = Duration.ofNanos(until - System.nanoTime());
      Duration least = shorter(LEAST, patience);
      try {
        part.drain(left.compareTo(least) < 0 ? least : left);
      } catch (RuntimeException | Error bug) {
        LOG.log(Level.ERROR, "a bug in stopping " + part.name() + "; the other parts stop", bug);
      }
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static void await(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException("told to end at once");
      }
    }
  }
}
