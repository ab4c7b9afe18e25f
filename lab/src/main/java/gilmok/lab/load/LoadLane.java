package gilmok.lab.load;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run on one event loop: its connections, its schedule, its tally.
 *
 * <p>In a closed loop each connection sends the next request as soon as it has a response. In an
 * open loop exchange k is due at a time that does not depend on the server; it is sent on an idle
 * connection, or late if there is none. Its latency counts from when it was due, so a slow server
 * cannot slow down the schedule it is measured by (no coordinated omission). An exchange of several
 * requests continues before others begin.
 *
 * <p>Not thread-safe: all methods but the constructor belong to the event loop.
 */
final class LoadLane {
  private final EventLoop loop;
  private final LoadPlan plan;
  private final Workload workload;
  private final Tally tally;
  private final List<Connection> connections = new ArrayList<>();

  /** Contains a connection once for each further request that it may have in flight. */
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();

  /** Exchanges that have begun and can continue. */
  private final ArrayDeque<Ready> ready = new ArrayDeque<>();

  private final CompletableFuture<Tally> ended = new CompletableFuture<>();

  private Window window = new Window(0, 0, 0);
  private long next;
  private long dueCount;
  private long underWay;
  private boolean armed;
  private boolean closing;

  /** Whether an exchange was due while every connection waited for the server. */
  private boolean isHeldUp;

  private record Ready(LoadExchange exchange, long fromNanos) {}

  LoadLane(EventLoop loop, LoadPlan plan, Workload workload, Tally tally) {
    this.loop = loop;
    this.plan = plan;
    this.workload = workload;
    this.tally = tally;
  }

  /**
   * The times at which a run starts, its measured part starts, and it ends, all in nanoseconds of
   * {@link System#nanoTime}.
   */
  record Window(long start, long measuredStart, long end) {
    long second(long nanos) {
      return (nanos - measuredStart) / 1_000_000_000L;
    }

    boolean measures(long fromNanos) {
      return fromNanos >= measuredStart && fromNanos < end;
    }
  }

  EventLoop loop() {
    return loop;
  }

  Tally tally() {
    return tally;
  }

  CompletableFuture<Tally> ended() {
    return ended;
  }

  Connection connect() {
    Connection connection = new Connection(this, plan.pipeline(), workload.response());
    connections.add(connection);
    return connection;
  }

  /** Starts sending. */
  void start(Window when) {
    window = when;
    if (plan.open()) {
      dueCount = plan.dueCount(when.end - when.start);
      for (int i = 0; i < plan.pipeline(); i++) {
        idle.addAll(connections);
      }
      arm();
      return;
    }
    for (Connection connection : List.copyOf(connections)) {
      long now = System.nanoTime();
      while (!connection.full() && wantsMore(now)) {
        begin(connection, now);
      }
      connection.flush();
    }
  }

  /** Whether a closed loop continues. */
  private boolean wantsMore(long now) {
    return !closing && now < window.end && (plan.count() == 0 || next < plan.count());
  }

  private void begin(Connection connection, long fromNanos) {
    next++;
    send(connection, workload.next(), fromNanos);
  }

  private void send(Connection connection, LoadExchange exchange, long fromNanos) {
    underWay++;
    connection.write(exchange, fromNanos);
  }

  /** Handles a response; called before the connection is flushed. */
  void answered(Connection connection, LoadExchange exchange, long fromNanos, Response response) {
    underWay--;
    long now = System.nanoTime();
    boolean isRefused = exchange.isRefusal(response);
    String wrong = isRefused ? null : exchange.check(response);
    // The rate of a closed loop is that of the responses inside the window.
    long counted = plan.open() ? fromNanos : now;
    if (isRefused) {
      tally.refused(window.measures(counted));
    } else {
      tally.answered(now - fromNanos, wrong, response);
      if (window.measures(counted)) {
        tally.measure(now - fromNanos, window.second(counted));
      }
    }
    boolean goesOn = wrong == null && !isRefused && exchange.hasMore() && !closing;
    if (plan.open()) {
      if (goesOn) {
        ready.addFirst(new Ready(exchange, now));
      }
      idle.add(connection);
      pump(now);
    } else if (goesOn) {
      send(connection, exchange, now);
    } else if (wantsMore(now)) {
      begin(connection, now);
    }
    endWhenDone();
  }

  /** Sends all exchanges that are due, while there are idle connections. */
  private void pump(long now) {
    while (!ready.isEmpty() || (next < dueCount && due(next) <= now)) {
      Connection connection = idle.poll();
      if (connection == null) {
        isHeldUp = true;
        return;
      }
      Ready first = ready.poll();
      if (first != null) {
        send(connection, first.exchange, first.fromNanos);
      } else {
        long due = due(next);
        if (!isHeldUp && window.measures(due)) {
          // By the present: making the requests before it may have taken long.
          tally.sentLate(System.nanoTime() - due);
        }
        begin(connection, due);
      }
      connection.flush();
    }
    isHeldUp = false;
    arm();
  }

  private long due(long k) {
    return window.start + plan.dueNanos(k);
  }

  private void arm() {
    if (!armed && next < dueCount && !closing) {
      armed = true;
      long delay = Math.max(0, due(next) - System.nanoTime());
      var _ = loop.schedule(this::tick, delay, TimeUnit.NANOSECONDS);
    }
  }

  private void tick() {
    armed = false;
    if (!closing) {
      pump(System.nanoTime());
    }
  }

  private void endWhenDone() {
    if (underWay == 0 && ready.isEmpty() && (!plan.open() || next >= dueCount)) {
      ended.complete(tally);
    }
  }

  /** Handles a lost connection: the run is void, the other connections continue. */
  void failed(Connection connection, @Nullable String why) {
    if (closing || !connections.remove(connection)) {
      return;
    }
    tally.error(String.valueOf(why), 1);
    underWay -= connection.underWay();
    idle.removeIf(c -> c == connection);
    connection.close();
    if (connections.isEmpty()) {
      ended.complete(tally);
    } else {
      endWhenDone();
    }
  }

  /** Ends the lane; requests in flight count as unanswered. */
  void close() {
    closing = true;
    tally.error("unanswered", underWay + ready.size());
    tally.neverSent(Math.max(0, dueCount - next));
    connections.forEach(Connection::close);
    ended.complete(tally);
  }
}
