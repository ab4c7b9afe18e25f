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
 * The graceful shutdown of a server: it reports that it is not ready, still serves for a while, and
 * then drains its parts, one after the other. Thread-safe.
 */
public final class GracefulShutdown {
  private static final Logger LOG = System.getLogger("gilmok");

  /**
   * The time that a part gets at least, even when those before it have used up all patience; also
   * the time for all parts when the server served nobody yet.
   */
  public static final Duration LEAST = Duration.ofSeconds(1);

  private static final long LOOK_NANOS = 20_000_000L;

  private final StopConfig settings;
  private final Readiness readiness;
  private volatile Phase phase = Phase.WARMING;
  private volatile boolean isEarly;

  /** The phases of a server's life. It has no port before the first or after the last. */
  private enum Phase {
    WARMING,
    SERVING,
    /** Not ready, but still answering everything. */
    LEAVING,
    /** New requests are refused, those in flight are finished. */
    DRAINING
  }

  public GracefulShutdown(StopConfig settings, Readiness readiness, Meters meters) {
    this.settings = settings;
    this.readiness = readiness;
    for (Phase one : Phase.values()) {
      meters.gauge(
          "gilmok_life_state",
          "1 for the server's present state.",
          () -> phase == one ? 1 : 0,
          "state",
          one.name().toLowerCase(Locale.ROOT));
    }
  }

  /** The server is warm, and serves from now on. */
  public void serving() {
    phase = Phase.SERVING;
  }

  /**
   * Announces the stop: the server is no longer ready. If it serves nobody yet, {@link #run} then
   * waits for nobody. From any thread.
   */
  public void hurry() {
    isEarly = phase == Phase.WARMING;
    readiness.notReady("server", "stopping");
  }

  /**
   * Whether the stop began before the server served anybody, so that there is no new work to
   * finish.
   */
  public boolean isEarly() {
    return isEarly;
  }

  /**
   * Shuts down; on return nothing is in flight. A part that fails is logged, and does not keep the
   * others from ending. Call once, on the stopping thread.
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
        throw new InterruptedException("signalled to end at once");
      }
    }
  }
}
