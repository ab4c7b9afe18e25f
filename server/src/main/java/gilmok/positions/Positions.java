package gilmok.positions;

import gilmok.auth.Principal;
import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.WakeSignal;
import gilmok.log.Cursor;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.storage.Checkpoint;
import gilmok.storage.FileDisk;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The latest position of every rider, read from the log. It starts from its snapshot and reads the
 * log from there to the end. Its cursor in the log moves with each snapshot, so the log may delete
 * what a snapshot covers.
 *
 * <p>A node that follows others is given what they collect, too ({@link #take}). Of that the log
 * has no sequences, so changes have numbers of their own then ({@link ChangeNumbers}).
 *
 * <p>Thread-safe. One background loop follows the log, another saves the snapshots, so that it
 * never waits for a disk, and a third writes to the readers of streams.
 */
public final class Positions implements Drainable, BackgroundLoop.Work {
  private static final Logger LOGGER = System.getLogger("gilmok.positions");
  private static final String CURSOR = "live";

  /** The pause after records were found, so that many commits do not wake it as often. */
  private static final long GATHER_NANOS = 10_000_000;

  /** How many records one pass reads at most. */
  private static final int LOOK_MAX = 1 << 16;

  /** Of a whole fleet's changes, for readers that are a second or some behind. A power of two. */
  private static final int FLEET_CHANGES_MAX = 4 * LatestPositions.CHANGES_MAX;

  /** How soon the next snapshot follows when the log is full and needs the cursor to move. */
  private static final long HURRY_NANOS = 1_000_000_000;

  private final PositionsConfig config;
  private final Supplier<HiddenRiders> hidden;
  private final Log log;
  private final InstantSource clock;
  private final LatestPositions positions;
  private final SavedPositions saved;
  private final Streams streams;
  private final Cursor cursor;
  private final BackgroundLoop loop;
  private final BackgroundLoop snapshots;
  private final WakeSignal more;

  /** Held while latest positions are changed: by the loop, or by who follows the other nodes. */
  private final ReentrantLock changing = new ReentrantLock(true);

  private final ChangeNumbers numbers;
  private LogReader reader;
  private long sequence;
  private volatile long through;
  private long forgotNanos = System.nanoTime();
  private long savedNanos = System.nanoTime();

  /**
   * Loads the snapshot and catches up with the log before it returns.
   *
   * @param loops where its background work is watched
   * @param isGood whether a key that was valid still is
   * @param hidden whom nobody sees; asked once for each thread
   * @throws IOException when the snapshot's folder or the log cannot be read
   */
  public Positions(
      PositionsConfig config,
      Log log,
      Path data,
      InstantSource clock,
      PositionsMeters meter,
      BackgroundLoops loops,
      Predicate<Principal> isGood,
      Supplier<HiddenRiders> hidden)
      throws IOException, InterruptedException {
    this.config = config;
    this.hidden = hidden;
    this.log = log;
    this.clock = clock;
    int changesMax = config.isFollowing() ? FLEET_CHANGES_MAX : LatestPositions.CHANGES_MAX;
    positions = new LatestPositions(config.ridersMax(), changesMax);
    saved =
        new SavedPositions(
            new Checkpoint(new FileDisk(), data.resolve("snapshots").resolve("live")));
    long highest = config.isFollowing() ? Long.MAX_VALUE : log.durable();
    sequence = saved.load(positions, log.durable(), highest);
    through = sequence;
    numbers =
        config.isFollowing()
            ? ChangeNumbers.ofNode(clock.millis(), positions.newest())
            : ChangeNumbers.OF_LOG;
    positions.begin(numbers.last(sequence));
    cursor = log.cursor(CURSOR);
    reader = log.reader(sequence + 1);
    streams =
        new Streams(
            positions,
            config.streamsMax(),
            log.node().toString(),
            () -> config.isFollowing() ? positions.through() : log.durable(),
            meter,
            loops,
            isGood,
            hidden.get());
    loop = loops.needed("positions", "latest positions are not updated", this);
    snapshots =
        loops.optional("position-snapshots", "latest positions are not saved", this::saveIfDue);
    more = new WakeSignal(loop::wake);
    log.onDurable(more);
    followToTheEnd();
  }

  /** Starts following the log. */
  public void start() {
    loop.start();
    snapshots.start();
    streams.start();
  }

  /**
   * Removes the cursor of a server that runs without this part, so that the log keeps nothing for
   * it. When the part is switched on again, it starts from its snapshot or empty.
   */
  public static void leftOff(Log log) throws IOException, InterruptedException {
    boolean _ = log.forget(CURSOR);
  }

  /** Registers the metrics that are read on demand. */
  public void watch(Meters meters) {
    meters.gauge(
        "gilmok_positions_riders", "Riders whose latest position is known.", positions::size);
    meters.gauge(
        "gilmok_positions_lag_records",
        "Durable records that latest positions have not read.",
        this::lagRecords);
    meters.gauge(
        "gilmok_positions_streams",
        "Open streams of positions.",
        streams::size,
        config::streamsMax);
  }

  /** How many records of the log have not been read yet. */
  public long lagRecords() {
    return Math.max(0, log.durable() - through);
  }

  /**
   * Takes positions that other nodes collected, by the rule for its own: a fix that is not older
   * than the known one is the latest. For a node that follows others; from one thread.
   *
   * @return how many of them are a rider's latest now
   */
  public int take(PositionBatch batch) {
    int taken = 0;
    changing.lock();
    try {
      for (int i = 0; i < batch.count(); i++) {
        boolean isTaken =
            positions.takeForeign(
                batch.bytes(),
                batch.offset(i),
                batch.length(i),
                batch.receivedAt(i),
                numbers.next(0));
        taken += isTaken ? 1 : 0;
      }
      positions.settle(numbers.last(0));
    } finally {
      changing.unlock();
    }
    return taken;
  }

  /**
   * Forgets a rider, also in the snapshot; durable on return. A position that comes later makes the
   * rider known again. Blocks.
   *
   * @return whether a position was known
   */
  public boolean forget(String riderId) throws IOException, InterruptedException {
    boolean isKnown;
    changing.lock();
    try {
      isKnown = positions.forget(RiderKey.of(riderId));
    } finally {
      changing.unlock();
    }
    synchronized (this) {
      saved.save(positions, Math.max(through, cursor.sequence()));
    }
    return isKnown;
  }

  /** A rider is hidden from now on; readers of streams are told. From any thread. */
  public void hide(String riderId) {
    streams.hide(RiderKey.of(riderId));
  }

  /** Whom nobody sees, for one thread. */
  HiddenRiders hidden() {
    return hidden.get();
  }

  LatestPositions positions() {
    return positions;
  }

  Streams readers() {
    return streams;
  }

  PositionsConfig config() {
    return config;
  }

  /** The current time, epoch ms. */
  long millis() {
    return clock.millis();
  }

  /** A copy of a rider's encoded latest position, hidden or not; null if there is none. */
  public byte @Nullable [] event(String riderId) {
    PositionCopy copy = new PositionCopy();
    return positions.find(RiderKey.of(riderId), copy) == RiderTable.NONE ? null : copy.event();
  }

  /** Gives every rider's encoded latest position, as it is at some moment meanwhile. */
  public void each(Consumer<byte[]> events) {
    SavedPositions.each(positions, events);
  }

  @Override
  public String name() {
    return "positions";
  }

  /** Reads the rest of the log and saves a snapshot. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long begun = System.nanoTime();
    streams.stop();
    snapshots.stop(patience);
    loop.stop(patience.minusNanos(System.nanoTime() - begun));
  }

  @Override
  public long pass() throws IOException {
    long before = sequence;
    boolean isEnd = follow();
    if (sequence > before && before <= cursor.sequence()) {
      snapshots.wake(); // it sleeps while there is nothing to save
    }
    if (System.nanoTime() - forgotNanos >= config.snapshotInterval().toNanos()) {
      if (!forget()) {
        return 0;
      }
      forgotNanos = System.nanoTime();
    }
    return !isEnd ? 0 : sequence > before ? GATHER_NANOS : rest();
  }

  private boolean forget() {
    changing.lock();
    try {
      return positions.forgetBefore(clock.millis() - config.keep().toMillis());
    } finally {
      changing.unlock();
    }
  }

  /** How long to sleep unless more becomes durable. */
  private long rest() {
    more.arm();
    if (log.durable() > sequence) {
      more.disarm();
      return 0;
    }
    return Long.MAX_VALUE;
  }

  @Override
  public void end() throws IOException, InterruptedException {
    followToTheEnd();
    save();
    reader.close();
  }

  private void followToTheEnd() throws IOException {
    while (!follow()) {
      // More is there.
    }
  }

  /** Reads new records for a limited time; returns whether the end of the log was reached. */
  private boolean follow() throws IOException {
    changing.lock();
    try {
      return readOn();
    } finally {
      changing.unlock();
    }
  }

  private boolean readOn() throws IOException {
    boolean isEnd = false;
    boolean isWhole = false;
    try {
      for (int i = 0; i < LOOK_MAX && !isEnd; i++) {
        isEnd = !reader.next();
        if (!isEnd) {
          take();
          sequence = reader.sequence();
        } else {
          // At the end of the log there may be sequences without records.
          sequence = Math.max(sequence, reader.passed());
        }
      }
      isWhole = true;
    } finally {
      if (!isWhole) { // this record is read again
        reopen();
      }
    }
    positions.settle(numbers.last(sequence));
    through = sequence;
    return isEnd;
  }

  /**
   * Takes one record. A record that cannot be read is skipped, so that it delays no others: a later
   * position of that rider replaces it. An error of the virtual machine is not the record's fault
   * and is thrown.
   */
  private void take() {
    if (reader.stream() != Stream.TRACES) {
      return;
    }
    try {
      positions.take(
          reader.bytes(),
          reader.offset(),
          reader.length(),
          reader.receivedAtMillis(),
          numbers.next(reader.sequence()));
    } catch (RuntimeException | AssertionError damaged) {
      loop.skipped("record " + log.node() + ":" + reader.sequence(), damaged);
    }
  }

  private void reopen() {
    try {
      reader.close();
    } catch (IOException unclosed) {
      LOGGER.log(Level.WARNING, "a reader of the log: {0}", unclosed.getMessage());
    }
    reader = log.reader(sequence + 1);
  }

  /** A pass of the loop that saves snapshots: saves one if it is time. */
  private long saveIfDue() throws IOException, InterruptedException {
    if (through <= cursor.sequence()) {
      return Long.MAX_VALUE; // until pass() wakes it
    }
    long interval = log.isShortOfRoom() ? HURRY_NANOS : config.snapshotInterval().toNanos();
    long wait = savedNanos + interval - System.nanoTime();
    if (wait <= 0) {
      save(); // if it fails, the cursor stays, and the log keeps its records
      savedNanos = System.nanoTime();
      wait = interval;
    }
    return Math.clamp(wait, 1, HURRY_NANOS); // the log may run short of room meanwhile
  }

  private synchronized void save() throws IOException, InterruptedException {
    long taken = through;
    if (taken > cursor.sequence()) {
      saved.save(positions, taken);
      cursor.advance(taken);
    }
  }
}
