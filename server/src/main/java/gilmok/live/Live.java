package gilmok.live;

import gilmok.auth.Principal;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.log.Checkpoint;
import gilmok.log.Cursor;
import gilmok.log.FileDisk;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Follows the log and knows where everyone is. Starts from its snapshot and the log's end, and lets
 * the log go by a cursor that moves with the snapshots.
 *
 * <p>Thread-safe; one thread of its own does the following, another tells the readers of streams.
 */
public final class Live implements Drainable {
  private static final Logger LOGGER = System.getLogger("gilmok.live");
  private static final int IDLE_MILLIS = 10;

  /** A full log is not kept waiting for the next snapshot. */
  private static final long HURRY_NANOS = 1_000_000_000;

  private final LiveConfig config;
  private final Log log;
  private final InstantSource clock;
  private final LatestPositions positions;
  private final SavedPositions saved;
  private final Streams streams;
  private final Cursor cursor;
  private final LogReader reader;
  private final Thread thread;
  private long sequence;

  /**
   * Loads what was known and catches up with the log before it returns.
   *
   * @param isGood whether a key that was good is still
   * @throws IOException when the snapshot's folder or the log cannot be read
   */
  public Live(
      LiveConfig config,
      Log log,
      Path data,
      InstantSource clock,
      LiveMeter meter,
      Predicate<Principal> isGood)
      throws IOException, InterruptedException {
    this.config = config;
    this.log = log;
    this.clock = clock;
    positions = new LatestPositions(config.ridersMax());
    saved =
        new SavedPositions(
            new Checkpoint(new FileDisk(), data.resolve("snapshots").resolve("live")));
    sequence = saved.load(positions, log.durable());
    cursor = log.cursor("live");
    reader = log.reader(sequence + 1);
    streams =
        new Streams(
            positions, config.streamsMax(), log.node().toString(), log::durable, meter, isGood);
    follow();
    thread = Thread.ofPlatform().name("live").daemon().unstarted(this::run);
  }

  /** Begins to follow. */
  public void start() {
    thread.start();
    streams.start();
  }

  /** How many riders are known. */
  public int riders() {
    return positions.size();
  }

  /** How many records of the log are still to be seen. */
  public long lagRecords() {
    return Math.max(0, log.durable() - positions.through());
  }

  /** Positions of riders beyond {@code live.riders-max}, since the start. */
  public long turnedAway() {
    return positions.turnedAway();
  }

  /** How many streams of positions are open. */
  public int streams() {
    return streams.size();
  }

  /** The bound of {@link #streams}. */
  public int streamsMax() {
    return config.streamsMax();
  }

  LatestPositions positions() {
    return positions;
  }

  Streams readers() {
    return streams;
  }

  LiveConfig config() {
    return config;
  }

  /** What time it is, epoch ms. */
  long millis() {
    return clock.millis();
  }

  /** A copy of a rider's encoded latest position; null if there is none. */
  public byte @Nullable [] event(String riderId) {
    return positions.event(riderId);
  }

  boolean writeJson(String riderId, EventView reading, JsonBuffer out) {
    return positions.writeJson(riderId, reading, out);
  }

  @Override
  public String name() {
    return "live";
  }

  /** Sees what is left in the log and saves. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    streams.stop();
    thread.interrupt();
    thread.join(patience);
    if (thread.isAlive()) {
      return;
    }
    try {
      follow();
      save();
      reader.close();
    } catch (IOException cannot) {
      LOGGER.log(Level.WARNING, "positions could not be saved: {0}", cannot.getMessage());
    }
  }

  private void run() {
    long savedNanos = System.nanoTime();
    try {
      while (!Thread.interrupted()) {
        follow();
        long sinceSaved = System.nanoTime() - savedNanos;
        if (sinceSaved >= config.snapshotInterval().toNanos()
            || (log.isShortOfRoom() && sinceSaved >= HURRY_NANOS)) {
          save();
          savedNanos = System.nanoTime();
        }
        TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException failed) {
      LOGGER.log(Level.ERROR, "live stopped following the log; restart the server", failed);
    }
  }

  private void follow() throws IOException {
    while (reader.next()) {
      if (reader.stream() == Stream.TRACES) {
        positions.take(
            reader.bytes(),
            reader.offset(),
            reader.length(),
            reader.receivedAtMillis(),
            reader.sequence());
      }
      sequence = reader.sequence();
    }
    positions.settle(sequence);
  }

  private void save() throws IOException, InterruptedException {
    long through = sequence;
    if (through > cursor.sequence()) {
      positions.forgetBefore(clock.millis() - config.keep().toMillis());
      saved.save(positions, through);
      cursor.advance(through);
    }
  }
}
