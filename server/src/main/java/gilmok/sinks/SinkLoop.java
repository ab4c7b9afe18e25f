package gilmok.sinks;

import gilmok.background.LowPriority;
import gilmok.log.DamagedLogException;
import gilmok.log.Log;
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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The loop of one sink: reads the log, gathers batches, starts their senders, asks the sink to
 * release what it holds, and saves the cursor. Calls from other threads are run between two
 * batches. Without work, it sleeps until a record is durable or its account changes.
 */
final class SinkLoop implements Runnable {
  private static final Logger LOGGER = System.getLogger("gilmok.sinks");

  /**
   * How often the log is read again after its end was reached, while there is work: a record may
   * wait this much longer. A tenth of the usual age of a batch.
   */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final long REREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SinkConfig config;
  private final Log log;
  private final SinkState account;
  private final FlowControl flow;
  private final Batcher batcher;
  private final BatchSenderContext means;
  private final SinkRest rest;
  private final CheckpointSaves saves;

  /** Whether somebody waits for the sink. */
  private final boolean isAwaited;

  /** Whether only a new record or a call brings work. */
  private boolean isIdle;

  /** Whether everything was read, so that a new record brings work. */
  private boolean isAllRead;

  private final RecordProbe probe;
  private final UnackedRelease held;
  private final ExecutorService deliveries;
  private final Queue<FutureTask<?>> tasks = new ConcurrentLinkedQueue<>();
  private volatile Tuning tuning;
  private volatile boolean isHastened;
  private volatile boolean isOver;
  private volatile boolean isKilled;

  SinkLoop(
      SinkConfig config,
      Log log,
      BatchSenderContext means,
      Duration saveInterval,
      RandomGenerator random) {
    this.config = config;
    this.log = log;
    this.means = means;
    account = means.account();
    flow = means.flow();
    isAwaited = account.waits != null;
    batcher = new Batcher(log, account, isAwaited);
    held = new UnackedRelease(means);
    probe = new RecordProbe(means, log, random);
    // Platform threads, one for each batch in flight, because virtual threads have no priority.
    String threads = "sink-" + config.name() + "-delivery";
    deliveries =
        Executors.newCachedThreadPool(
            isAwaited
                ? Thread.ofPlatform().daemon().name(threads + "-", 0).factory()
                : LowPriority.threads(threads));
    tuning = config.tuning();
    rest = new SinkRest(log, account, flow, saveInterval);
    saves = new CheckpointSaves(means, rest);
  }

  Tuning tuning() {
    return tuning;
  }

  void tune(Tuning wanted) {
    tuning = wanted;
    account.wake();
  }

  /** From now on, no record waits for a fuller batch. */
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

  /**
   * When the oldest gathered record was received, epoch ms; {@link Long#MAX_VALUE} when there is
   * none.
   */
  long oldestMillis() {
    return batcher.oldestMillis();
  }

  /** How its checkpoint is saved. */
  CheckpointSaves saves() {
    return saves;
  }

  /** Runs work between two batches; the task is cancelled when the loop has ended. */
  <T> FutureTask<T> submit(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    tasks.add(task);
    account.wake();
    if (isOver) {
      cancelTasks();
    }
    return task;
  }

  /** Ends the loop as if the process had ended: nothing more is settled durably. For tests. */
  void kill() {
    isKilled = true;
  }

  @Override
  public void run() {
    rest.begin();
    try {
      while (!flow.isStopping()) {
        turn();
      }
      finish();
    } catch (InterruptedException hurried) {
      LOGGER.log(
          Level.WARNING,
          "sink {0} was stopped before its checkpoint was saved; some records are sent again",
          config.name());
    } finally {
      isOver = true;
      cancelTasks();
      deliveries.shutdown();
      close();
    }
  }

  private void turn() throws InterruptedException {
    try {
      long seen = flow.version();
      long wait = step();
      rest.sleep(seen, wait);
    } catch (RuntimeException | Error worse) {
      // Not even the failure could be logged, for want of memory, say. This thread must not end.
      TimeUnit.NANOSECONDS.sleep(REREAD_NANOS);
    }
  }

  private void cancelTasks() {
    for (FutureTask<?> task = tasks.poll(); task != null; task = tasks.poll()) {
      task.cancel(false);
    }
  }

  /** Does the work that is due; returns how long to wait afterwards, in nanoseconds. */
  private long step() throws InterruptedException {
    try {
      for (FutureTask<?> task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
      if (flow.isMendDue()) {
        readAnew();
        flow.mending();
      }
      isIdle = false;
      isAllRead = false;
      boolean moved = !flow.isStanding() && round();
      if (rest.isSaveDue() && isAwaited) {
        saves.saveApart(deliveries);
      } else if (rest.isSaveDue()) {
        saves.save();
      }
      if (isIdle && flow.isBroken()) {
        flow.idle();
      }
      long ripeIn = batcher.ripeInNanos(tuning);
      // A ripe batch that cannot start waits for a sender's end, which wakes this loop, not for its
      // age.
      long look = ripeIn > 0 ? Math.min(LOOK_NANOS, ripeIn) : LOOK_NANOS;
      if (moved || isIdle) {
        return moved ? 0 : rest.nanos(batcher.position(), look);
      }
      return isAllRead ? rest.inFlightNanos(batcher.position(), look) : look;
    } catch (DamagedLogException damaged) {
      flow.broken(String.valueOf(damaged.getMessage()));
      LOGGER.log(
          Level.ERROR,
          "sink "
              + config.name()
              + " cannot read its damaged log; its records wait. Run \"gilmok log verify\"",
          damaged);
      return LOOK_NANOS;
    } catch (IOException cannot) {
      flow.failed("the log cannot be read: " + cannot.getMessage());
      reopen();
      return REREAD_NANOS;
    } catch (RuntimeException | Error bug) {
      flow.broken("a bug: " + bug);
      LOGGER.log(Level.ERROR, "a bug stopped a sink, its records wait: " + config.name(), bug);
      return LOOK_NANOS;
    }
  }

  private void reopen() {
    try {
      batcher.reopen();
    } catch (IOException cannot) {
      flow.failed("the log cannot be read: " + cannot.getMessage());
    }
  }

  private boolean round() throws IOException, InterruptedException {
    if (!batcher.isOpen() || batcher.isOvertaken()) {
      batcher.restart();
    }
    Tuning now = tuning;
    boolean isDoubtful = probe.holdsUp();
    Batcher.State state = isDoubtful ? Batcher.State.MORE : batcher.gather(now);
    if (!release(flow.isPaused() || isLast(state))) {
      return true;
    }
    if (isDoubtful) {
      return probe();
    }
    boolean moved = state == Batcher.State.MORE;
    if (flow.mayStart(now.maxConcurrency())) {
      long again = account.nextReplay();
      if (again > 0) {
        sendAgain(again);
        moved = true;
      } else if (state == Batcher.State.RIPE) {
        start(batcher.depart());
        moved = true;
      }
    } else {
      batcher.prepareNext(means.sink());
    }
    batcher.pass();
    isIdle = !moved && isIdle(state);
    isAllRead = state != Batcher.State.MORE && batcher.isAllGathered();
    return moved;
  }

  private boolean isIdle(Batcher.State state) {
    return state == Batcher.State.END && batcher.isEmpty() && account.standing().inFlight() == 0;
  }

  /** Waits for the breaker's result, and helps with probes. */
  private boolean probe() throws IOException {
    if (probe.end(batcher)) {
      return true;
    }
    InFlightBatch one = probe.next(batcher);
    if (one != null) {
      BatchSender sender = new BatchSender(means, one, true);
      probe.begin(one, sender);
      execute(one, sender);
    }
    return false;
  }

  /** Whether the sink would hold its records for others that do not come. */
  private boolean isLast(Batcher.State state) {
    return isHastened && isIdle(state);
  }

  private void start(@Nullable InFlightBatch inFlightBatch) {
    if (inFlightBatch != null) {
      execute(inFlightBatch, new BatchSender(means, inFlightBatch, false));
    }
  }

  private void execute(InFlightBatch inFlightBatch, BatchSender sender) {
    try {
      deliveries.execute(sender);
    } catch (RuntimeException | Error noThread) {
      means.breaker().left(sender);
      account.end(inFlightBatch, means.cursor()::bookSkipped);
      throw noThread;
    }
  }

  private void sendAgain(long sequence) throws IOException {
    Batch again = Batcher.read(log, sequence, config.streams());
    if (again == null) {
      account.leaveQuarantined(sequence);
    } else {
      start(account.departAgain(again));
    }
  }

  /**
   * Asks the sink what became of the records that it holds.
   *
   * @return false when none of them is kept: they are read again
   */
  private boolean release(boolean now) throws IOException, InterruptedException {
    if (held.ask(now) == null) {
      return true;
    }
    if (!flow.isStopping()) {
      readAnew();
    }
    return false;
  }

  /** Gives up the records in flight or held, and reads them again. Call it in the loop only. */
  void readAnew() throws IOException, InterruptedException {
    flow.clear();
    discard();
    begin();
  }

  private void begin() throws IOException {
    means.breaker().reset();
    probe.forget();
    batcher.restart();
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

  /** Begins anew at a sequence. Call it in the loop only. */
  void rewind(long next) throws IOException, InterruptedException {
    long oldest = log.oldestSequence();
    long end = log.durable() + 1;
    if (next < oldest || next > end) {
      throw new IllegalArgumentException(
          "sequence must be between " + oldest + " and " + end + ", not " + next);
    }
    flow.clear();
    release(true);
    discard();
    means.cursor().rewind(next);
    flow.mended();
    begin();
  }

  private void finish() throws InterruptedException {
    flow.awaitEmpty();
    if (isKilled) {
      return;
    }
    try {
      release(true);
      saves.save();
      String unsaved = saves.fault();
      if (unsaved != null) {
        LOGGER.log(Level.WARNING, "sink {0} may send records again: {1}", config.name(), unsaved);
      }
    } catch (IOException | RuntimeException cannot) {
      LOGGER.log(
          Level.WARNING,
          "sink "
              + config.name()
              + " stopped without saving its checkpoint; some records may be sent again",
          cannot);
    }
  }

  private void close() {
    try {
      batcher.close();
      means.sink().close();
    } catch (IOException | RuntimeException cannot) {
      LOGGER.log(
          Level.WARNING, "sink " + config.name() + " could not be closed; nothing is lost", cannot);
    }
  }
}
