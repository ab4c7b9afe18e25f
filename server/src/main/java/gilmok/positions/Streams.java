package gilmok.positions;

import gilmok.auth.Principal;
import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.http.ReplyStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * All readers of streams of positions, and the one thread that writes to them. At each tick the
 * thread visits every reader, and writes to those that are due and have received the write before.
 *
 * <p>Thread-safe.
 */
final class Streams implements BackgroundLoop.Work {
  private static final Logger LOGGER = System.getLogger("gilmok.positions");
  private static final byte[] BEGINNING = "retry: 2000\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RESET =
      "retry: 2000\n\nevent: reset\ndata: {}\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** The shortest pause between two ticks, used when a reader has more to be sent. */
  private static final long PAUSE_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(5);

  private static final Duration STOP_MAX = Duration.ofSeconds(10);
  private static final long QUIET_NANOS_MAX = TimeUnit.SECONDS.toNanos(15);
  private static final long KEY_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LIFE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final HiddenRing hiddenRing = new HiddenRing();
  private final LatestPositions positions;
  private final int readersMax;
  private final PositionsMeters meter;
  private final Predicate<Principal> isGood;
  private final String node;
  private final LongSupplier durable;
  private final ChangeCursor cursor;
  private final SseBatch batch;
  private final List<StreamReader> readers = new ArrayList<>();
  private final Queue<StreamReader> arrivals = new ConcurrentLinkedQueue<>();
  private final AtomicInteger open = new AtomicInteger();
  private final BackgroundLoop loop;
  private boolean hasMore;

  /**
   * Without readers.
   *
   * @param node the id of this node, which is part of event ids
   * @param durable the log's last sequence: no reader can know a later one
   * @param isGood whether a key that was valid still is
   * @param hidden for the stream thread
   */
  Streams(
      LatestPositions positions,
      int readersMax,
      String node,
      LongSupplier durable,
      PositionsMeters meter,
      BackgroundLoops loops,
      Predicate<Principal> isGood,
      HiddenRiders hidden) {
    if (hidden.isAny()) {
      hiddenRing.begin(positions.through());
    }
    this.positions = positions;
    this.readersMax = readersMax;
    this.node = node;
    this.durable = durable;
    this.meter = meter;
    this.isGood = isGood;
    this.cursor = new ChangeCursor(positions);
    this.batch = new SseBatch(positions, hidden, node);
    this.loop = loops.needed("position-streams", "streams of positions are not updated", this);
  }

  void start() {
    loop.start();
  }

  /** Tells all readers that a rider is not shown any more. From any thread. */
  void hide(RiderKey rider) {
    hiddenRing.add(rider, positions.through());
    loop.wake();
  }

  /** Stops writing to readers. */
  void stop() throws InterruptedException {
    loop.stop(STOP_MAX);
  }

  /** The number of readers. */
  int size() {
    return open.get();
  }

  /**
   * Reserves a place; false if all are taken. A caller that has reserved one must call {@link #add}
   * or {@link #leave}.
   */
  boolean enter() {
    if (open.incrementAndGet() <= readersMax) {
      return true;
    }
    open.decrementAndGet();
    return false;
  }

  /** Releases a place that was reserved and not used. */
  void leave() {
    open.decrementAndGet();
  }

  /**
   * Adds a reader.
   *
   * @param resumed the id of the last event that it received; empty if there was none
   */
  void add(
      ReplyStream reply,
      Principal principal,
      StreamFilter filter,
      long intervalNanos,
      String resumed) {
    long told = resumed.isEmpty() ? StreamReader.NOTHING : sequence(resumed);
    long hiddenTold = told == StreamReader.NOTHING ? hiddenRing.end() : hiddenRing.after(told);
    if (hiddenTold < 0) { // it may show riders who were hidden meanwhile
      hiddenTold = hiddenRing.end();
      told = StreamReader.NOTHING;
    }
    boolean isReset = !resumed.isEmpty() && told == StreamReader.NOTHING;
    reply.write(isReset ? RESET : BEGINNING);
    arrivals.add(
        new StreamReader(
            reply, principal, filter, intervalNanos, told, hiddenTold, System.nanoTime()));
    loop.wake();
  }

  /** The sequence in an event id of this node; {@link StreamReader#NOTHING} for any other id. */
  private long sequence(String id) {
    int digits = id.length() - node.length() - 1;
    if (digits < 1 || digits > 18 || !id.startsWith(node) || id.charAt(node.length()) != ':') {
      return StreamReader.NOTHING;
    }
    long sequence = 0;
    for (int i = node.length() + 1; i < id.length(); i++) {
      int digit = id.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return StreamReader.NOTHING;
      }
      sequence = 10 * sequence + digit;
    }
    return sequence <= durable.getAsLong() ? sequence : StreamReader.NOTHING;
  }

  @Override
  public long pass() {
    long began = System.nanoTime();
    for (StreamReader arrived = arrivals.poll(); arrived != null; arrived = arrivals.poll()) {
      readers.add(arrived);
    }
    if (readers.isEmpty()) {
      cursor.rest();
      batch.rest();
      return Long.MAX_VALUE; // the next reader wakes it
    }
    tick(began);
    long took = System.nanoTime() - began;
    meter.ticked(took);
    long pause = hasMore ? PAUSE_NANOS_MIN : Math.max(PAUSE_NANOS_MIN, TICK_NANOS - took);
    return Math.max(pause, took / 2);
  }

  @Override
  public void end() {
    readers.addAll(arrivals);
    readers.forEach(Streams::end);
  }

  private void tick(long now) {
    hasMore = false;
    for (int i = readers.size() - 1; i >= 0; i--) {
      StreamReader reader = readers.get(i);
      if (!serve(reader, now)) {
        end(reader);
        // The order of readers has no meaning, so the last one may fill the gap.
        StreamReader last = readers.removeLast();
        if (last != reader) {
          readers.set(i, last);
        }
        open.decrementAndGet();
      }
    }
  }

  /** Ends a reader's reply. A failure concerns only this client, which is gone. */
  private static void end(StreamReader reader) {
    try {
      reader.reply().end();
    } catch (RuntimeException | Error bug) {
      LOGGER.log(Level.ERROR, "a stream of positions could not be ended", bug);
    }
  }

  /**
   * Writes to a reader if it is due; false when its stream is over. A bug ends this stream only,
   * not those of the others.
   */
  private boolean serve(StreamReader reader, long now) {
    try {
      if (reader.reply().isEnded() || !mayGoOn(reader, now)) {
        return false;
      }
      if (reader.isDue(now)) {
        tell(reader, now);
      }
      return true;
    } catch (RuntimeException | Error bug) {
      LOGGER.log(Level.ERROR, "a bug ended a stream of positions", bug);
      return false;
    }
  }

  private boolean mayGoOn(StreamReader reader, long now) {
    if (now - reader.begunNanos() > LIFE_NANOS) {
      return false;
    }
    if (now - reader.checkedNanos() > KEY_CHECK_NANOS) {
      reader.checked(now);
      return isGood.test(reader.principal());
    }
    return true;
  }

  private void tell(StreamReader reader, long now) {
    long through = positions.through();
    boolean isQuiet = now - reader.writtenNanos() > QUIET_NANOS_MAX;
    boolean hasHidden = reader.hasHidden(hiddenRing);
    if (reader.told() >= through && !isQuiet && !hasHidden) {
      return;
    }
    if (!reader.reply().isWritable()) {
      meter.heldBack();
      return;
    }
    batch.clear();
    if (hasHidden && !reader.tellHidden(batch, hiddenRing)) {
      reader.reply().write(RESET);
    }
    boolean isCut = reader.tell(batch, positions, cursor, through);
    if (batch.isEmpty() && isQuiet && !isCut) {
      batch.beat(reader.told());
    }
    if (!batch.isEmpty()) {
      reader.reply().write(batch.bytes());
      reader.written(now, isCut);
      hasMore |= isCut;
      meter.told(batch.positions(), batch.left());
    }
  }
}
