package gilmok.lab.load;

import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One event loop's part of a run: its connections, its schedule, its tally.
 *
 * <p>In a closed loop each connection sends its next request as soon as the last is answered. In an
 * open loop request k is due at {@code start + k * interval} whatever the server does; it is sent
 * on an idle connection, or late when there is none, and its latency counts from when it was due: a
 * slow server cannot slow the clock it is measured by. All methods but the constructor belong to
 * the event loop.
 */
final class Lane {
  private static final int RESPONSE_BYTES_MAX = 256 * 1024;
  private static final int ERROR_SAMPLE_BYTES = 300;

  private final EventLoop loop;
  private final LoadPlan plan;
  private final RequestTemplate template;
  private final ResponseReader reader = new ResponseReader();
  private final byte[] scratch = new byte[RESPONSE_BYTES_MAX];
  private final Tally tally = new Tally();
  private final List<Connection> connections = new ArrayList<>();

  /** Each connection once for every request it may still have under way. */
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();

  private final CompletableFuture<Tally> ended = new CompletableFuture<>();
  private final double intervalNanos;

  private Window window = new Window(0, 0, 0);
  private long next;
  private long dueCount;
  private long underWay;
  private boolean armed;
  private boolean closing;

  Lane(EventLoop loop, LoadPlan plan, int number, long startMillis) {
    this.loop = loop;
    this.plan = plan;
    this.template = new RequestTemplate(plan, number, startMillis);
    this.intervalNanos = plan.open() ? 1e9 * plan.threads() / plan.rate() : 0;
  }

  /** When a run starts, starts to be measured, and ends; all by {@link System#nanoTime}. */
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

  byte[] scratch() {
    return scratch;
  }

  ResponseReader reader() {
    return reader;
  }

  Connection connect() {
    Connection connection = new Connection(this, plan.pipeline(), template.length());
    connections.add(connection);
    return connection;
  }

  /** Begins to send. */
  void start(Window when) {
    window = when;
    if (plan.open()) {
      dueCount = (long) ((when.end - when.start) / intervalNanos);
      for (int i = 0; i < plan.pipeline(); i++) {
        idle.addAll(connections);
      }
      arm();
      return;
    }
    for (Connection connection : List.copyOf(connections)) {
      while (!connection.full() && !closing) {
        send(connection, System.nanoTime());
      }
      connection.flush();
    }
  }

  private void send(Connection connection, long fromNanos) {
    if (connection.write(template.next(), fromNanos)) {
      underWay++;
    }
  }

  /** An answer has come; called before the connection is flushed. */
  void answered(Connection connection, long fromNanos, byte[] bytes, int offset, int length) {
    underWay--;
    long now = System.nanoTime();
    check(bytes, offset, length);
    if (plan.open()) {
      if (window.measures(fromNanos)) {
        tally.measure(now - fromNanos, window.second(fromNanos));
      }
      idle.add(connection);
      pump(now);
      endWhenDone();
      return;
    }
    // The rate of a closed loop is that of the answers inside the window.
    if (window.measures(now)) {
      tally.measure(now - fromNanos, window.second(now));
    }
    if (now < window.end && !closing) {
      send(connection, now);
    } else {
      endWhenDone();
    }
  }

  private void check(byte[] bytes, int offset, int length) {
    if (reader.status() == 202
        && reader.duplicates() == 0
        && reader.accepted() == plan.positions()) {
      tally.answer(reader.accepted());
      return;
    }
    if (reader.status() == 202 && reader.duplicates() > 0) {
      tally.duplicates += reader.duplicates();
      tally.error("duplicates");
      return;
    }
    int shown = Math.min(length, ERROR_SAMPLE_BYTES);
    String kind = "status " + reader.status();
    if (!tally.errors.containsKey(kind)) {
      System.err.println(new String(bytes, offset, shown, StandardCharsets.UTF_8));
    }
    tally.error(kind);
  }

  /** Sends all that is due and has a connection. */
  private void pump(long now) {
    while (next < dueCount && due(next) <= now) {
      Connection connection = idle.poll();
      if (connection == null) {
        return;
      }
      long due = due(next++);
      send(connection, due);
      connection.flush();
    }
    arm();
  }

  private long due(long k) {
    return window.start + (long) (k * intervalNanos);
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
    pump(System.nanoTime());
  }

  private void endWhenDone() {
    boolean sent = !plan.open() || next >= dueCount;
    if (sent && underWay == 0) {
      ended.complete(tally);
    }
  }

  /** A connection is lost: the run is void, the others go on. */
  void failed(Connection connection, String why) {
    if (closing || !connections.remove(connection)) {
      return;
    }
    tally.error(why);
    underWay -= connection.underWay();
    idle.removeIf(c -> c == connection);
    connection.close();
    if (connections.isEmpty()) {
      ended.complete(tally);
    } else {
      endWhenDone();
    }
  }

  /** Ends the lane, whatever is under way: that counts as unanswered. */
  void close() {
    closing = true;
    tally.error(
        "unanswered", Math.max(0, underWay) + Math.max(0, plan.open() ? dueCount - next : 0));
    connections.forEach(Connection::close);
    ended.complete(tally);
  }
}
