package gilmok.ship;

import gilmok.log.DamagedLogException;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.ship.Receipt.Outcome;
import gilmok.ship.Verdict.Cause;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One sink's loop: reads the log, gathers batches, sends them off, asks for what is held, and keeps
 * the cursor. What others want of it is done between two batches.
 */
final class SinkLoop implements Runnable {
  private static final Logger LOGGER = System.getLogger("gilmok.ship");

  /**
   * How often the log is asked for more when everything has been read: a record may wait so much
   * longer. A tenth of the usual age of a batch; more often is what an idle server pays for.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long REREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SinkConfig config;
  private final Log log;
  private final SinkAccount account;
  private final Traffic traffic;
  private final Gathering gathering;
  private final Delivery.Means means;
  private final Duration saveInterval;
  private final ExecutorService deliveries;
  private final Queue<FutureTask<?>> tasks = new ConcurrentLinkedQueue<>();
  private volatile Tuning tuning;
  private volatile @Nullable String saveFault;
  private volatile long saveFaultAtMillis;
  private volatile boolean isHastened;
  private volatile boolean isOver;
  private volatile boolean isKilled;
  private int releaseFailures;
  private long savedNanos = System.nanoTime();

  SinkLoop(SinkConfig config, Log log, Delivery.Means means, Duration saveInterval) {
    this.config = config;
    this.log = log;
    this.means = means;
    this.saveInterval = saveInterval;
    account = means.account();
    traffic = means.traffic();
    gathering = new Gathering(log, account);
    // Platform threads, as many as batches are in flight: virtual ones have no priority.
    deliveries =
        Executors.newCachedThreadPool(LowPriority.threads("ship-" + config.name() + "-delivery"));
    tuning = config.tuning();
  }

  Tuning tuning() {
    return tuning;
  }

  void tune(Tuning wanted) {
    tuning = wanted;
    account.wake();
  }

  /** From now on nothing waits for more to go with it. */
  void hasten() {
    Tuning now = tuning;
    isHastened = true;
    tune(
        new Tuning(
            now.batchRecordsMax(),
            now.batchBytesMax(),
            Duration.ofMillis(1),
            now.maxConcurrency()));
  }

  /** When the oldest record in hand was received, epoch ms; the largest when there is none. */
  long oldestMillis() {
    return gathering.oldestMillis();
  }

  /** Why the cursor could not be saved; null when it could. */
  @Nullable String saveFault() {
    return saveFault;
  }

  /** When that was, epoch ms. */
  long saveFaultAtMillis() {
    return saveFaultAtMillis;
  }

  /** Has something done between two batches; cancelled when the loop is over. */
  <T> FutureTask<T> submit(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    tasks.add(task);
    account.wake();
    if (isOver) {
      cancelTasks();
    }
    return task;
  }

  /** The loop ends as if the process had: nothing more is settled durably. For tests. */
  void kill() {
    isKilled = true;
  }

  @Override
  public void run() {
    try {
      while (!traffic.isStopping()) {
        long seen = traffic.version();
        long wait = step();
        if (wait > 0) {
          traffic.await(seen, wait);
        }
      }
      finish();
    } catch (InterruptedException hurried) {
      LOGGER.log(Level.WARNING, "sink {0} was stopped before it had saved all", config.name());
    } finally {
      isOver = true;
      cancelTasks();
      deliveries.shutdown();
      close();
    }
  }

  private void cancelTasks() {
    for (FutureTask<?> task = tasks.poll(); task != null; task = tasks.poll()) {
      task.cancel(false);
    }
  }

  /** Does what there is to do and says how long to wait then, in nanoseconds. */
  private long step() throws InterruptedException {
    try {
      for (FutureTask<?> task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
      boolean moved = !traffic.isBroken() && round();
      saveIfDue();
      long ripeIn = gathering.ripeInNanos(tuning);
      // What is ripe and cannot go waits for a delivery's end, which wakes this, not for its age.
      return moved ? 0 : ripeIn > 0 ? Math.min(LOOK_NANOS, ripeIn) : LOOK_NANOS;
    } catch (DamagedLogException damaged) {
      LOGGER.log(Level.ERROR, "sink " + config.name() + " cannot go on", damaged);
      traffic.broken(String.valueOf(damaged.getMessage()));
      return LOOK_NANOS;
    } catch (IOException cannot) {
      traffic.failed("the log cannot be read: " + cannot.getMessage());
      reopen();
      return REREAD_NANOS;
    } catch (RuntimeException | Error bug) {
      LOGGER.log(Level.ERROR, "a bug stopped the sink " + config.name(), bug);
      traffic.broken("a bug: " + bug);
      return LOOK_NANOS;
    }
  }

  private void reopen() {
    try {
      gathering.reopen();
    } catch (IOException cannot) {
      traffic.failed("the log cannot be read: " + cannot.getMessage());
    }
  }

  private boolean round() throws IOException, InterruptedException {
    if (!gathering.isOpen() || gathering.isOvertaken()) {
      gathering.restart();
    }
    Tuning now = tuning;
    Gathering.State state = gathering.gather(now);
    if (!release(traffic.isPaused() || isLast(state))) {
      return true;
    }
    boolean moved = state == Gathering.State.MORE;
    if (traffic.mayStart(now.maxConcurrency())) {
      long again = account.nextReplay();
      if (again > 0) {
        sendAgain(again);
        moved = true;
      } else if (state == Gathering.State.RIPE) {
        start(gathering.depart());
        moved = true;
      }
    }
    gathering.pass();
    return moved;
  }

  /** Whether what the sink holds would wait for what does not come. */
  private boolean isLast(Gathering.State state) {
    return isHastened
        && state == Gathering.State.END
        && gathering.isEmpty()
        && account.standing().inFlight() == 0;
  }

  private void start(@Nullable Shipment shipment) {
    if (shipment != null) {
      deliveries.execute(new Delivery(means, shipment));
    }
  }

  private void sendAgain(long sequence) throws IOException {
    Batch again = read(sequence);
    if (again == null) {
      account.leaveQuarantined(sequence);
    } else {
      start(account.departAgain(again));
    }
  }

  /** One record, as a batch; null when the log has it no more or the sink does not take it. */
  @Nullable Batch read(long sequence) throws IOException {
    if (sequence < log.oldestSequence() || sequence > log.durable()) {
      return null;
    }
    try (LogReader reader = log.reader(sequence)) {
      if (!reader.next()
          || reader.sequence() != sequence
          || !config.streams().contains(reader.stream())) {
        return null;
      }
      Batch batch = new Batch(reader.node(), 1, reader.length());
      batch.add(
          reader.stream(),
          sequence,
          reader.receivedAtMillis(),
          reader.bytes(),
          reader.offset(),
          reader.length());
      return batch;
    }
  }

  /**
   * Asks the sink what became of what it holds.
   *
   * @return false when nothing of it is kept: it is read again
   */
  private boolean release(boolean now) throws IOException, InterruptedException {
    if (!means.sink().isOrdered() || !account.holds() || !means.sinkLock().tryLock()) {
      return true;
    }
    Verdict verdict;
    try {
      verdict = askRelease(now);
      if (verdict instanceof Verdict.Done done) {
        // Before the sink can be sent anything else that it holds.
        settleHeld(done);
      }
    } finally {
      means.sinkLock().unlock();
    }
    switch (verdict) {
      case null -> {
        return true;
      }
      case Verdict.Done _ -> {
        return true;
      }
      case Verdict.Retry retry -> readAgain(retry);
      default -> readAgain(Delivery.UNKNOWN);
    }
    return false;
  }

  private @Nullable Verdict askRelease(boolean now) throws InterruptedException {
    try {
      return means.sink().release(now);
    } catch (RuntimeException | Error bug) {
      LOGGER.log(Level.ERROR, "a bug in the sink " + config.name() + ", it is tried again", bug);
      return new Verdict.Retry(Cause.FAILED, "a bug: " + bug.getClass().getName());
    }
  }

  private void settleHeld(Verdict.Done done) throws InterruptedException {
    for (Sequences sequences : account.heldSequences()) {
      Receipt receipt =
          Delivery.receipt(sequences, Outcome.DELIVERED, means.clock().millis(), done.place());
      while (!Delivery.book(means, receipt)) {
        if (traffic.isStopping()) {
          return;
        }
        traffic.await(traffic.version(), REREAD_NANOS);
      }
    }
    account.settleHeld(done.acknowledged());
    means.meter().delivered(done.acknowledged());
    traffic.succeeded();
    releaseFailures = 0;
  }

  private void readAgain(Verdict.Retry retry) throws IOException, InterruptedException {
    means.meter().retried(retry.cause());
    traffic.failed(retry.detail().isEmpty() ? retry.cause().name() : retry.detail());
    traffic.holdBack(++releaseFailures);
    if (!traffic.isStopping()) {
      readAnew();
    }
  }

  /** What is on its way or held is given up and read again. In the loop only. */
  void readAnew() throws IOException, InterruptedException {
    traffic.clear();
    discard();
    traffic.broken(null);
    gathering.restart();
  }

  private void discard() {
    means.sinkLock().lock();
    try {
      means.sink().discard();
    } finally {
      means.sinkLock().unlock();
    }
    account.discardHeld(means.cursor()::bookSkipped);
  }

  /** Begins anew at a sequence. In the loop only. */
  void rewind(long next) throws IOException, InterruptedException {
    long oldest = log.oldestSequence();
    long end = log.durable() + 1;
    if (next < oldest || next > end) {
      throw new IllegalArgumentException(
          "sequence must be between " + oldest + " and " + end + ", not " + next);
    }
    traffic.clear();
    release(true);
    discard();
    means.cursor().rewind(next);
    traffic.broken(null);
    gathering.restart();
  }

  private void saveIfDue() throws InterruptedException {
    if (System.nanoTime() - savedNanos >= saveInterval.toNanos()) {
      save();
    }
  }

  private void save() throws InterruptedException {
    try {
      means.aside().putNoted();
      means.cursor().save();
      saveFault = null;
    } catch (IOException cannot) {
      saveFaultAtMillis = means.clock().millis();
      saveFault = "the cursor cannot be saved: " + cannot.getMessage();
    }
    savedNanos = System.nanoTime();
  }

  private void finish() throws InterruptedException {
    traffic.awaitEmpty();
    if (isKilled) {
      return;
    }
    try {
      release(true);
      save();
      String unsaved = saveFault;
      if (unsaved != null) {
        LOGGER.log(Level.WARNING, "sink {0}: {1}", config.name(), unsaved);
      }
    } catch (IOException | RuntimeException cannot) {
      LOGGER.log(Level.WARNING, "sink " + config.name() + " was not stopped in order", cannot);
    }
  }

  private void close() {
    try {
      gathering.close();
      means.sink().close();
    } catch (IOException | RuntimeException cannot) {
      LOGGER.log(Level.WARNING, "sink " + config.name() + " was not closed in order", cannot);
    }
  }
}
