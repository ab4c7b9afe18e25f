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
 * the probe of its lag. Everything here belongs to that loop's thread.
 */
final class EventLoopState {
  private static final long TICK_NANOS = 100_000_000L;

  final EventLoop executor;
  final Decompressor decompressor = new Decompressor();
  final BodyCompressor bodyCompressor = new BodyCompressor();
  private final ConnectionTimeouts timeouts;
  private final RequestMeter meter;
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog("gilmok.http", "connections are not swept");
  private final Set<Connection> connections = new LinkedHashSet<>();
  private int full;
  private long lastTick;
  private long nextSweep;
  private long jitter;
  private @Nullable Future<?> ticking;

  /** A connection, as its loop looks after it. */
  interface Connection {
    /** The listener stops: ends what would go on, and closes when nothing is under way. */
    void closeIfIdle();

    /** Looks whether it is too slow. */
    void sweep(long now);

    /** Closes without waiting for anything that is still to be written. */
    void cut();
  }

  EventLoopState(EventLoop executor, ConnectionTimeouts timeouts, RequestMeter meter) {
    this.executor = executor;
    this.timeouts = timeouts;
    this.meter = meter;
    this.lastTick = System.nanoTime();
    this.nextSweep = lastTick + timeouts.sweepNanos();
    this.jitter = lastTick | 1;
  }

  void start() {
    lastTick = System.nanoTime();
    ticking =
        executor.scheduleWithFixedDelay(this::tick, TICK_NANOS, TICK_NANOS, TimeUnit.NANOSECONDS);
  }

  /** Ends what it does by itself; from any thread. */
  void stop() {
    Future<?> ends = ticking;
    if (ends != null) {
      ends.cancel(false);
    }
  }

  /** Frees what is not the collector's; on the loop's thread, or after its end. */
  void free() {
    decompressor.close();
    bodyCompressor.close();
  }

  /** The time of the last tick: a tenth of a second old at most, while the loop keeps up. */
  long coarseNanos() {
    return lastTick;
  }

  /** From 1 to 5, never twice the same way for a crowd of clients. */
  int retryAfterSeconds() {
    jitter ^= jitter << 13;
    jitter ^= jitter >>> 7;
    jitter ^= jitter << 17;
    return 1 + (int) Math.floorMod(jitter, 5L);
  }

  void add(Connection connection) {
    connections.add(connection);
  }

  void remove(Connection connection) {
    connections.remove(connection);
  }

  /** Lets one more connection leave its answers untaken, or not. */
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
    meter.lag(Math.max(0, now - lastTick - TICK_NANOS));
    lastTick = now;
    if (now - nextSweep >= 0) {
      nextSweep = now + timeouts.sweepNanos();
      // A copy: sweeping one may end it.
      List.copyOf(connections).forEach(connection -> sweep(connection, now));
    }
  }

  /** What is wrong with one connection must not end the deadlines of the others. */
  private void sweep(Connection connection, long now) {
    try {
      connection.sweep(now);
    } catch (RuntimeException | Error bug) {
      rateLimitedLog.bug("a connection could not be looked after", bug);
      connection.cut();
    }
  }
}
