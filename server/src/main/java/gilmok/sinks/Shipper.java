package gilmok.sinks;

import gilmok.background.BackgroundThread;
import gilmok.background.LowPriority;
import gilmok.log.Log;
import gilmok.log.RecordRewrite;
import gilmok.log.Stream;
import gilmok.sinks.SinkStatus.State;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ships the log to one sink. Thread-safe: one thread of its own reads and batches, and each batch
 * in flight has another.
 */
public final class Shipper {
  /** How long a sink that ignores its interruption is waited for. */
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

  private final SinkConfig config;
  private final Sink sink;
  private final Log log;
  private final SinksContext context;
  private final SinkState account = new SinkState();
  private final SinkCursor cursor;
  private final FlowControl flow;
  private final RefusalBreaker breaker;
  private final SinkLoop loop;
  private final Thread thread;
  private final @Nullable AckWaits waits;
  private final OldestUnsettled oldestUnsettled;
  private final LedgerCache ledgerCache = new LedgerCache();

  /**
   * Opens the sink's account and begins to ship.
   *
   * @param sink closed by {@link #stop}
   * @param book used for this sink alone
   */
  public static Shipper start(
      SinkConfig config, Sink sink, ReceiptBook book, Log log, SinksContext context)
      throws IOException, InterruptedException {
    Shipper shipper = new Shipper(config, sink, book, log, context);
    shipper.cursor.open(config);
    if (shipper.waits != null) {
      shipper.waits.start();
    }
    shipper.thread.start();
    return shipper;
  }

  private Shipper(SinkConfig config, Sink sink, ReceiptBook book, Log log, SinksContext context) {
    this.config = config;
    this.sink = sink;
    this.log = log;
    this.context = context;
    oldestUnsettled = new OldestUnsettled(log, account);
    cursor = new SinkCursor(config.name(), log, account, book, context.clock());
    SplittableRandom random = new SplittableRandom(context.random().nextLong());
    flow = new FlowControl(account, config, context.clock(), random);
    breaker = new RefusalBreaker(config.name(), account, flow);
    AckPlan ack = context.ack();
    waits =
        ack == null || !ack.sink().equals(config.name())
            ? null
            : new AckWaits(account, flow, ack.waitMax(), context.meters(), config.name());
    account.waits = waits;
    loop =
        new SinkLoop(
            config,
            log,
            new BatchSenderContext(
                config.name(),
                sink,
                new ReentrantLock(),
                account,
                cursor,
                flow,
                breaker,
                new DeadLetters(log, config.name(), context.keys(), account),
                new SinkMeter(
                    context.meters(), config.name(), config.streams(), context.slowest())),
            context.saveInterval(),
            new SplittableRandom(context.random().nextLong()));
    thread =
        BackgroundThread.daemon(
            "sink-" + config.name(), waits == null ? LowPriority.of(loop) : loop);
  }

  /** The sink's name. */
  public String name() {
    return config.name();
  }

  /** The appends that wait for this sink; null unless it is the one that acknowledges. */
  public @Nullable AckWaits waits() {
    return waits;
  }

  /** Whether its destination answers durably, see {@link Sink#isDurable}. */
  public boolean isDurable() {
    return sink.isDurable();
  }

  /** Checks the destination, see {@link Sink#probe}; not after {@link #stop}. Blocks. */
  public @Nullable String probe() throws InterruptedException {
    return sink.probe();
  }

  /**
   * The last failure that no success has followed; null when there is none, and while the sink is
   * paused.
   */
  public @Nullable String fault() {
    return flow.isPaused() ? null : presentFault();
  }

  private @Nullable String presentFault() {
    String held = flow.isBroken() ? null : breaker.fault();
    String fault = held == null ? flow.fault() : held;
    return fault == null ? loop.saves().fault() : fault;
  }

  /** The sink's status. Reads a part of the log, so it may block. */
  public SinkStatus status() {
    LedgerTotals standing = account.standing();
    String fault = presentFault();
    return new SinkStatus(
        config.name(),
        sink.kind(),
        state(standing, fault),
        sink.isOrdered(),
        config.streams(),
        loop.tuning(),
        config.limits(),
        new SinkStatus.Progress(
            standing.low(),
            standing.settledRanges(),
            Ledger.waiting(name(), log, account),
            lagMillis(standing),
            standing.inFlight()),
        fault == null ? null : new SinkStatus.Fault(fault, faultAtMillis()));
  }

  /** How long the oldest unsettled record has waited, in milliseconds. */
  long lagMillis() {
    return lagMillis(account.standing());
  }

  /** The sink's present state. */
  State state() {
    return state(account.standing(), presentFault());
  }

  /** Whether the destination refuses every record. */
  boolean isHeld() {
    return breaker.fault() != null;
  }

  /** The most batches in flight. */
  int maxConcurrency() {
    return loop.tuning().maxConcurrency();
  }

  private long lagMillis(LedgerTotals standing) {
    long since = Math.min(standing.oldestMillis(), loop.oldestMillis());
    if (since == Long.MAX_VALUE || flow.isBroken()) {
      try {
        since = Math.min(since, oldestUnsettled.millis());
      } catch (IOException | RuntimeException cannot) {
        since = Math.min(since, flow.isBroken() ? flow.faultAtMillis() : since);
      }
    }
    return since == Long.MAX_VALUE ? 0 : Math.max(0, context.clock().millis() - since);
  }

  private long faultAtMillis() {
    if (!flow.isBroken() && breaker.fault() != null) {
      return breaker.heldAtMillis();
    }
    boolean isSave = flow.fault() == null && loop.saves().fault() != null;
    return isSave ? loop.saves().faultAtMillis() : flow.faultAtMillis();
  }

  private State state(LedgerTotals standing, @Nullable String fault) {
    if (flow.isBroken()) {
      return State.BROKEN;
    }
    if (standing.isPaused()) {
      return State.PAUSED;
    }
    if (breaker.fault() != null) {
      return State.BROKEN;
    }
    if (standing.isDetached()) {
      return State.DETACHED;
    }
    return fault == null ? State.RUNNING : State.RETRYING;
  }

  /** Whether that record is in flight or held by the sink, so that a newer receipt may come. */
  public boolean isOnItsWay(long sequence) {
    return account.isOnItsWay(sequence);
  }

  Set<Stream> streams() {
    return config.streams();
  }

  List<LedgerRow> rows() {
    return Ledger.rows(name(), log, account);
  }

  /** Like {@link #rows}, but up to a moment old: for gauges, which are read one by one. */
  List<LedgerRow> recentRows() {
    return ledgerCache.rows(this::rows);
  }

  SinkState account() {
    return account;
  }

  SinkCursor cursor() {
    return cursor;
  }

  /** Pauses the sink until {@link #resume}, also over a restart. Durable on return. */
  public void pause() throws IOException, InterruptedException {
    cursor.pause(true);
  }

  /**
   * Resumes the sink. Durable on return. A detached sink counts as looked at; a broken one starts
   * again at once.
   */
  public void resume() throws IOException, InterruptedException {
    cursor.pause(false);
    breaker.hurry();
    if (flow.isBroken()) {
      inLoop(
          () -> {
            loop.readAnew();
            flow.mended();
          });
    }
  }

  /**
   * Changes how the sink batches, until the next start.
   *
   * @throws IllegalArgumentException when a value is over the sink's limits
   */
  public void tune(Tuning tuning) {
    SinkLimits limits = config.limits();
    requireWithin("batchRecordsMax", tuning.batchRecordsMax(), limits.batchRecordsMax());
    requireWithin("batchBytesMax", tuning.batchBytesMax(), limits.batchBytesMax());
    requireWithin("maxConcurrency", tuning.maxConcurrency(), limits.concurrencyMax());
    requireWithin("batchAgeMaxMillis", tuning.batchAgeMax().toMillis(), Long.MAX_VALUE);
    loop.tune(tuning);
  }

  /**
   * Sends what there is without waiting for fuller batches, because the server stops. Until the
   * next start.
   */
  public void hasten() {
    loop.hasten();
  }

  private static void requireWithin(String name, long value, long max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException(name + " must be between 1 and " + max + ", not " + value);
    }
  }

  /**
   * Sends all records from a sequence on again, and begins a new account there. Waits for batches
   * in flight. Durable on return.
   *
   * @param next the first sequence to send: at least the oldest in the log, at most one more than
   *     is durable
   * @throws IllegalArgumentException when it is not within these limits
   */
  public void rewind(long next) throws IOException, InterruptedException {
    inLoop(() -> loop.rewind(next));
  }

  /**
   * Gives up the records that were gathered, are in flight or are held by the sink, and reads them
   * again; and rewrites the refused ones that wait for room in the log. Durable on return.
   */
  void readAnew(RecordRewrite rewrite) throws IOException, InterruptedException {
    inLoop(loop::readAnew);
    try (var _ = account.hold()) {
      account.progress().pendingDeadLetters.rewrite(rewrite);
      account.moved();
    }
    cursor.save();
  }

  /**
   * Sends a quarantined record once more, and counts it as waiting until then. Durable on return.
   *
   * @return false when the log no longer has it, or it is not quarantined at this sink
   */
  public boolean replay(long sequence) throws IOException, InterruptedException {
    if (replaySoon(sequence) != ReplayResult.TAKEN) {
      return false;
    }
    cursor.save();
    return true;
  }

  /** Like {@link #replay}, but durable within the interval in which cursors are saved. */
  public ReplayResult replaySoon(long sequence) throws IOException {
    Batch again = Batcher.read(log, sequence, config.streams());
    return again == null ? ReplayResult.NOT_SET_ASIDE : cursor.replay(sequence, again.stream(0));
  }

  /** Whether that record still waits to be replayed. */
  public boolean isReplaying(long sequence) {
    return account.isReplaying(sequence);
  }

  /**
   * Stops: batches in flight get {@code patience} to end and are then interrupted; saves the
   * cursor. Later calls do nothing.
   */
  public void stop(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    flow.stop();
    if (!flow.awaitEmpty(patience)) {
      flow.interrupt();
    }
    thread.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())).plus(LAST_PATIENCE));
    if (thread.isAlive()) {
      thread.interrupt();
      thread.join(LAST_PATIENCE);
    }
    if (waits != null) {
      waits.close();
    }
  }

  /** Ends as if the process were killed: nothing more becomes durable. For tests. */
  void kill() throws InterruptedException {
    loop.kill();
    stop(Duration.ZERO);
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private void inLoop(Work work) throws IOException, InterruptedException {
    try {
      loop.submit(
              () -> {
                work.run();
                return true;
              })
          .get();
    } catch (CancellationException stopped) {
      throw new IllegalStateException("the sink " + name() + " is stopped", stopped);
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case IOException cause -> throw cause;
        case InterruptedException _ -> throw new InterruptedException("the server stops");
        case RuntimeException cause -> throw cause;
        case null, default -> throw new IllegalStateException(failed);
      }
    }
  }
}
