package gilmok.observe.machine;

import gilmok.background.BackgroundThread;
import gilmok.background.LowPriority;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * How long virtual threads kept their carriers while they waited, as Java's flight recorder tells
 * it; nothing else does. Starting it takes seconds of a busy processor, so it starts beside the
 * server's work, at a low priority. Thread-safe.
 */
public final class PinnedThreads implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gilmok.observe");

  private final Meters meters;
  private @Nullable Histogram waits;
  private @Nullable AutoCloseable recorder;
  private boolean isWanted;

  /** Not measured yet. */
  public PinnedThreads(Meters meters) {
    this.meters = meters;
  }

  /** Measures them from now on, or no longer. Does not wait for the start. */
  public void watch(FlightRecorderConfig config) {
    want(config.isOn());
    if (config.isOn()) {
      BackgroundThread.startDaemon("flight-recorder", LowPriority.of(this::begin));
    } else {
      end();
    }
  }

  synchronized boolean isRunning() {
    return recorder != null;
  }

  private synchronized void want(boolean isOn) {
    isWanted = isOn;
  }

  private synchronized void begin() {
    if (!isWanted || recorder != null) {
      return;
    }
    try {
      if (waits == null) {
        waits =
            meters.seconds(
                "gilmok_virtual_thread_pinned_seconds",
                "How long a virtual thread kept its carrier while it waited.");
      }
      recorder = new PinnedRecorder(waits);
      LOG.log(Level.INFO, "Java's flight recorder runs, for virtual threads that are pinned");
    } catch (LinkageError | RuntimeException none) {
      LOG.log(
          Level.WARNING,
          "operate.flight-recorder: Java's flight recorder does not start, so pinned virtual"
              + " threads are not measured: {0}",
          none);
    }
  }

  private synchronized void end() {
    AutoCloseable running = recorder;
    recorder = null;
    if (running != null) {
      try {
        running.close();
      } catch (Exception cannot) {
        LOG.log(Level.WARNING, "Java's flight recorder does not end: {0}", cannot);
      }
    }
  }

  @Override
  public void close() {
    want(false);
    end();
  }
}
