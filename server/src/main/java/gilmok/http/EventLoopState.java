package gilmok.http;

import gilmok.compress.BodyCompressor;
import gilmok.compress.Decompressor;
import gilmok.observe.RateLimitedLog;
import io.netty.channel.EventLoop;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one event loop owns: its connections, the decompressor and the compressor, a coarse clock,
 * the probe of its lag. Belongs to that loop's thread.
 */
final class EventLoopState {
  private static final long TICK_NANOS = 100_000_000L;

  /** The tick of a loop without connections. With none at all, Netty would wake it each second. */
  private static final long REST_NANOS = TimeUnit.HOURS.toNanos(1);

  final EventLoop executor;
  final Decompressor decompressor = new Decompressor();
  final BodyCompressor bodyCompressor = new BodyCompressor();
  private final ConnectionTimeouts timeouts;
  final LoopMeter meter;
  final QueueDelay queueDelay;
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog("gilmok.http", "timeouts of connections are not enforced");
  private final Set<Connection> connections = new LinkedHashSet<>();
  private int full;
  private long lastTick;
  private long nextSweep;
  private long jitter;
  private volatile boolean isStopped;
  private boolean isResting = true;
  private volatile @Nullable Future<?> ticking;

  /** A connection, as its event loop sees it. */
  interface Connection {
    /** The listener stops: ends streamed replies, and closes if no request is in flight. */
    void closeIfIdle();

    /** Cuts the connection off if it is too slow. */
    void sweep(long now);

    /** Closes at once; what is still to be written is dropped. */
    void cut();
  }

  EventLoopState(
      EventLoop executor, ConnectionTimeouts timeouts, LoopMeter meter, QueueDelay queueDelay) {
    this.executor = executor;
    this.queueDelay = queueDelay;
    this.timeouts = timeouts;
    this.meter = meter;
    this.lastTick = System.nanoTime();
    this.nextSweep = lastTick + timeouts.sweepNanos();
    this.jitter = lastTick | 1;
  }

  /** Starts the tick; on the loop's thread. */
  void start() {
    next(true);
  }

  private void next(boolean rests) {
    isResting = rests;
    ticking = executor.schedule(this::tick, rests ? REST_NANOS : TICK_NANOS, TimeUnit.NANOSECONDS);
  }

  /** Stops the periodic tick; from any thread. */
  void stop() {
    isStopped = true;
    cancel();
  }

  private void cancel() {
    Future<?> ends = ticking;
    if (ends != null) {
      ends.cancel(false);
    }
  }

  /** Frees native memory; on the loop's thread, or after its end. */
  void free() {
    decompressor.close();
    bodyCompressor.close();
  }

  /**
   * The time of the last tick, {@link System#nanoTime}: at most a tenth of a second old while the
   * loop keeps up.
   */
  long coarseNanos() {
    return isResting ? System.nanoTime() : lastTick;
  }

  /**
   * The seconds of a Retry-After: 1 to 5 at random, so that a crowd of clients does not return at
   * once.
   */
  int retryAfterSeconds() {
    jitter ^= jitter << 13;
    jitter ^= jitter >>> 7;
    jitter ^= jitter << 17;
    return 1 + (int) Math.floorMod(jitter, 5L);
  }

  void add(Connection connection) {
    connections.add(connection);
    if (isResting && !isStopped) {
      cancel();
      lastTick = System.nanoTime();
      next(false);
    }
  }

  void remove(Connection connection) {
    connections.remove(connection);
  }

  /** Counts one more connection that leaves its answers unread; false when the limit is reached. */
  boolean enterFull() {
    if (full == timeouts.fullMax()) {
      return false;
    }
    full++;
    return true;
  }

  void leaveFull() {
    full--;
  }

  void closeIdle() {
    List.copyOf(connections).forEach(Connection::closeIfIdle);
  }

  private void tick() {
    long now = System.nanoTime();
    if (!isResting) {
      meter.lag(Math.max(0, now - lastTick - TICK_NANOS));
    }
    lastTick = now;
    boolean rests = connections.isEmpty();
    if (rests) {
      meter.rests();
    }
    if (!isStopped) {
      next(rests);
    }
    if (now - nextSweep >= 0) {
      nextSweep = now + timeouts.sweepNanos();
      // Iterates over a copy, as a sweep can remove a connection.
      List.copyOf(connections).forEach(connection -> sweep(connection, now));
    }
  }

  /** Sweeps one connection; its failure must not stop the sweep of the others. */
  private void sweep(Connection connection, long now) {
    try {
      connection.sweep(now);
    } catch (RuntimeException | Error bug) {
      rateLimitedLog.bug(
          "a bug in enforcing a connection's timeouts; the connection was closed", bug);
      connection.cut();
    }
  }
}
