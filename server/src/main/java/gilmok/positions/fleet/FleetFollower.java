package gilmok.positions.fleet;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.positions.PositionBatch;
import gilmok.positions.PositionsConfig;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Follows the positions that other nodes collect. While it cannot, the server answers from its own
 * riders and what it knows of others, and readiness says so. Thread-safe: one background loop.
 */
public final class FleetFollower implements Drainable, BackgroundLoop.Work {
  /** The pause after each reading, so that many small additions do not wake it as often. */
  private static final long GATHER_NANOS = 10_000_000;

  /** A source at its end answers within {@code WAIT_MAX}; as much again is for a busy machine. */
  private static final double ANSWER_SECONDS = 2 * FleetSource.WAIT_MAX.toMillis() / 1e3;

  /** Staler than this is named in readiness. */
  private static final double STALE_SECONDS = 5;

  /** A reading is broken off after this time when the server stops: nothing of it is lost. */
  private static final Duration STOP_MAX = Duration.ofMillis(20);

  private final FleetSource source;
  private final ToIntFunction<PositionBatch> positions;
  private final long waitNanos;
  private final InstantSource clock;
  private final FleetMeters meters;
  private final BackgroundLoop loop;
  private final PositionBatch batch = new PositionBatch();
  private final FleetRecords records;

  /** Whether all that the source had was read, since it last began. */
  private boolean isWhole;

  private @Nullable String reported;
  private volatile long begunNanos = System.nanoTime();
  private volatile long knownNanos = System.nanoTime();
  private volatile long behindMillis;
  private volatile boolean wasWhole;

  /** The parts of the server that it needs. */
  public record Surroundings(
      Meters meters, Readiness readiness, BackgroundLoops loops, InstantSource clock) {}

  /**
   * Follows a source, which it closes at the end.
   *
   * @param node this node, whose own positions are skipped
   * @param positions takes positions, and returns how many of them are a rider's latest now
   */
  public FleetFollower(
      FleetSource source,
      String node,
      PositionsConfig config,
      ToIntFunction<PositionBatch> positions,
      Surroundings around) {
    this.source = source;
    this.positions = positions;
    meters = new FleetMeters(around.meters());
    records = new FleetRecords(node, meters, batch);
    waitNanos = config.followWait().toNanos();
    clock = around.clock();
    loop = around.loops().optional("fleet", "positions of other nodes are not followed", this);
    around.readiness().condition("fleet", this::lack);
    meters.watch(this::stalenessSeconds);
  }

  /** Starts following. */
  public void start() {
    begunNanos = System.nanoTime();
    knownNanos = begunNanos;
    loop.start();
  }

  /** What is lacking: until all riders were read once, and while they are stale. */
  private Readiness.@Nullable Lack lack() {
    if (wasWhole) {
      double stale = stalenessSeconds();
      return stale <= STALE_SECONDS
          ? null
          : new Readiness.Lack("the positions of other nodes are " + (long) stale + " s old", true);
    }
    boolean isLate = System.nanoTime() - begunNanos >= waitNanos;
    String reason = "the positions of other nodes have not all been read since the start";
    return new Readiness.Lack(reason, isLate);
  }

  /**
   * How much older than the newest are the positions that were read last; and for how long the
   * source has not said so, beyond two seconds.
   */
  double stalenessSeconds() {
    double ago = (System.nanoTime() - knownNanos) / 1e9 - ANSWER_SECONDS;
    return behindMillis / 1e3 + Math.max(0, ago);
  }

  @Override
  public String name() {
    return "fleet";
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    loop.stop(patience.compareTo(STOP_MAX) < 0 ? patience : STOP_MAX);
    source.close();
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    batch.clear();
    FleetSource.Progress progress = source.read(records);
    if (batch.count() > 0) {
      int taken = positions.applyAsInt(batch);
      meters.read(taken, batch.count() - taken);
      long oldest = batch.oldest();
      if (isWhole && oldest != PositionBatch.UNKNOWN) {
        meters.delayed(TimeUnit.MILLISECONDS.toNanos(Math.max(0, clock.millis() - oldest)));
      }
    }
    isWhole = progress.isWhole();
    if (isWhole) {
      wasWhole = true;
      behindMillis = progress.behindMillis();
      knownNanos = System.nanoTime();
    }
    report(progress.fault());
    return progress.isAtEnd() ? GATHER_NANOS : 0;
  }

  /** Reports a fault when it begins, and its end. */
  private void report(@Nullable String fault) {
    if (fault == null) {
      loop.partlyWorked();
    } else if (!fault.equals(reported)) {
      loop.partlyFailed(new IOException(fault));
    }
    reported = fault;
  }
}
