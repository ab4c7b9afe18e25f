package gilmok.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Housekeeping on a thread of its own: deletes segments that are too old, saves the deduplication
 * table, reserves sequences for early readers.
 */
record Housekeeper(
    LogConfig config,
    Retention retention,
    DedupSnapshot repeats,
    AppendQueue queue,
    SequenceReserve reserve,
    LongSupplier durable,
    BooleanSupplier shortOfRoom,
    LogWaits waits,
    Consumer<Throwable> onFailure)
    implements Runnable {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  @Override
  public void run() {
    long savedNanos = System.nanoTime();
    try {
      while (!Thread.interrupted()) {
        TimeUnit.MILLISECONDS.sleep(Math.min(waits.tick(), config.snapshotInterval().toMillis()));
        savedNanos = tick(savedNanos);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error bug) {
      onFailure.accept(bug);
    }
  }

  /** Does all the housekeeping now. */
  void keep() throws InterruptedException {
    tick(System.nanoTime() - config.snapshotInterval().toNanos());
  }

  private long tick(long savedNanos) throws InterruptedException {
    try {
      retention.deleteOld();
      reserve.keepAhead(queue.point().sequence());
      // Only segments whose keys are saved may be deleted. A log without room cannot wait for the
      // next interval.
      if (shortOfRoom.getAsBoolean()
          || System.nanoTime() - savedNanos >= config.snapshotInterval().toNanos()) {
        repeats.save(queue, durable);
        return System.nanoTime();
      }
      return savedNanos;
    } catch (IOException cannot) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      LOGGER.log(
          Level.WARNING,
          "the log''s housekeeping failed and is retried; no record is lost: {0}",
          cannot.getMessage());
      return System.nanoTime();
    }
  }
}
