package gilmok.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Does the log's chores on a thread of its own: deletes what is too old, saves the repeats. */
final class Keeper implements Runnable {
  private static final Logger LOGGER = System.getLogger("gilmok.log");
  private static final long TICK_MILLIS = 1000;

  private final LogConfig config;
  private final Retention retention;
  private final RepeatsFile repeats;
  private final Intake intake;
  private final LongSupplier durable;

  Keeper(
      LogConfig config,
      Retention retention,
      RepeatsFile repeats,
      Intake intake,
      LongSupplier durable) {
    this.config = config;
    this.retention = retention;
    this.repeats = repeats;
    this.intake = intake;
    this.durable = durable;
  }

  @Override
  public void run() {
    long savedNanos = System.nanoTime();
    try {
      while (!Thread.interrupted()) {
        TimeUnit.MILLISECONDS.sleep(Math.min(TICK_MILLIS, config.snapshotInterval().toMillis()));
        savedNanos = tick(savedNanos);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private long tick(long savedNanos) throws InterruptedException {
    try {
      retention.deleteOld();
      if (System.nanoTime() - savedNanos >= config.snapshotInterval().toNanos()) {
        repeats.save(intake, durable);
        return System.nanoTime();
      }
      return savedNanos;
    } catch (IOException cannot) {
      LOGGER.log(Level.WARNING, "a chore of the log failed: {0}", cannot.getMessage());
      return System.nanoTime();
    }
  }
}
