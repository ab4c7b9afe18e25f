package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.collect.json.JsonDocument;
import gilmok.deliveries.DeliveryMeters.Acted;
import gilmok.event.EventView;
import gilmok.event.Field;
import gilmok.log.Cursor;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the log and has riders' actions move their deliveries: those of one delivery in their
 * order, of many deliveries beside one another, each at least once. How far it has come is kept by
 * the cursor {@code deliveries}. While the store is away it waits, and nobody else does.
 *
 * <p>Has a thread of its own.
 */
final class ActionReader {
  private static final Logger LOG = System.getLogger("gilmok.deliveries");
  private static final String CURSOR = "deliveries";

  /** Most actions of which the store is asked at once. */
  private static final int ACTIONS_MAX = 256;

  /** Most records looked at before the cursor may move. */
  private static final int LOOK_MAX = 1 << 16;

  private static final long IDLE_NANOS = 10_000_000L;
  private static final long SAVE_NANOS = 1_000_000_000L;
  private static final long RETRY_NANOS_MIN = 100_000_000L;
  private static final long RETRY_NANOS_MAX = 10_000_000_000L;

  private final Log log;
  private final DeliveryStore store;
  private final DeliveryMeters meters;
  private final Consumer<Delivery> changed;
  private final Complaint complaint =
      new Complaint("riders' actions wait: deliveries cannot be kept");
  private final EventView view = new EventView();
  private final MoveBody bodies;
  private final Cursor cursor;
  private final Thread thread;
  private LogReader reader;
  private volatile long position;
  private volatile boolean stopping;

  /** What is still to be done to one delivery, in order. */
  private record Lane(String deliveryId, List<Move> actions) {}

  /**
   * @param changed is told of each delivery that an action has changed, on any thread
   */
  ActionReader(Log log, DeliveryStore store, DeliveryMeters meters, Consumer<Delivery> changed)
      throws IOException, InterruptedException {
    this.log = log;
    this.store = store;
    this.meters = meters;
    this.changed = changed;
    JsonDocument document = new JsonDocument();
    bodies = new MoveBody(document, new Fields(document));
    cursor = log.cursor(CURSOR, this::letGo);
    position = cursor.sequence();
    reader = log.reader(position + 1);
    thread = Thread.ofPlatform().name("delivery-actions").daemon().unstarted(this::run);
  }

  /** Deletes the cursor of a reader that does not run, so that nothing is kept for it. */
  static void forget(Log log) throws IOException, InterruptedException {
    log.forget(CURSOR);
  }

  void start() {
    thread.start();
  }

  /** How many records of the log it has not looked at. */
  long lagRecords() {
    return Math.max(0, log.durable() - position);
  }

  /** Ends what has begun. */
  void stop(Duration patience) throws InterruptedException {
    stopping = true;
    LockSupport.unpark(thread);
    thread.join(patience);
  }

  private void run() {
    long savedNanos = System.nanoTime();
    long pause = RETRY_NANOS_MIN;
    while (!stopping) {
      try {
        boolean isEnd = pass();
        pause = RETRY_NANOS_MIN;
        if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
          save();
          savedNanos = System.nanoTime();
        }
        if (isEnd) {
          LockSupport.parkNanos(IDLE_NANOS);
        }
      } catch (IOException failed) {
        complaint.about(failed);
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, RETRY_NANOS_MAX);
        reopen();
      } catch (InterruptedException hurried) {
        stopping = true;
      } catch (RuntimeException bug) {
        LOG.log(Level.ERROR, "riders' actions move no deliveries; restart the server", bug);
        stopping = true;
      }
    }
    try {
      save();
      reader.close();
    } catch (IOException cannot) {
      LOG.log(Level.WARNING, "the next start reads some actions again: {0}", cannot.getMessage());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads on and has done what was read; whether the log's end was reached. */
  private boolean pass() throws IOException, InterruptedException {
    if (cursor.sequence() > position) {
      position = cursor.sequence();
      reopen();
    }
    Map<String, Lane> lanes = new LinkedHashMap<>();
    long last = position;
    int actions = 0;
    boolean isEnd = false;
    for (int i = 0; i < LOOK_MAX && actions < ACTIONS_MAX; i++) {
      if (!reader.next()) {
        isEnd = true;
        break;
      }
      last = reader.sequence();
      if (reader.stream() == Stream.ACTIONS && take(lanes)) {
        actions++;
      }
    }
    if (settle(lanes)) {
      position = last;
    }
    return isEnd;
  }

  /** Takes the action the reader stands at, if it is one of a delivery and a step. */
  private boolean take(Map<String, Lane> lanes) {
    view.wrap(reader.bytes(), reader.offset(), reader.length());
    String id = view.text(Field.DELIVERY_ID);
    String type = id == null ? null : view.text(Field.TYPE);
    Step step = type == null ? null : Step.ofLabel(type);
    if (id == null || step == null) {
      return false;
    }
    if (!DeliveryId.isOne(id)) {
      meters.acted(Acted.UNKNOWN);
      return false;
    }
    lanes.computeIfAbsent(id, one -> new Lane(one, new ArrayList<>())).actions.add(move(step));
    return true;
  }

  private Move move(Step step) {
    String rider = view.riderId();
    long received = reader.receivedAtMillis();
    boolean hasPlace = view.has(Field.LAT);
    Move move =
        new Move(
            step,
            "rider:" + rider,
            new Binding(Binding.Kind.RIDER, rider),
            view.isAheadOf(received) ? received : view.at(),
            null,
            hasPlace ? (Double) view.lat() : null,
            hasPlace ? (Double) view.lon() : null,
            step == Step.ASSIGN ? rider : null,
            null,
            null,
            null,
            reader.node() + ":" + reader.sequence());
    return view.has(Field.ATTRIBUTES)
        ? bodies.with(
            move, view.bytes(), view.offset(Field.ATTRIBUTES), view.length(Field.ATTRIBUTES))
        : move;
  }

  /** Has all of them done, however long the store is away; false when it was stopped before. */
  private boolean settle(Map<String, Lane> lanes) throws InterruptedException {
    List<Lane> left = List.copyOf(lanes.values());
    long pause = RETRY_NANOS_MIN;
    while (true) {
      List<Thread> threads = new ArrayList<>();
      for (Lane lane : left) {
        threads.add(Thread.ofVirtual().name("delivery-action").start(() -> act(lane)));
      }
      for (Thread one : threads) {
        one.join();
      }
      left = left.stream().filter(lane -> !lane.actions.isEmpty()).toList();
      if (left.isEmpty() || stopping) {
        return left.isEmpty();
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, RETRY_NANOS_MAX);
    }
  }

  /** Takes from a lane what was done of it; what the store did not answer for stays. */
  private void act(Lane lane) {
    try {
      while (!lane.actions.isEmpty()) {
        Move action = lane.actions.getFirst();
        Delivery after = store.act(lane.deliveryId, action);
        Acted acted = acted(after, action);
        meters.acted(acted);
        if (after != null && acted == Acted.MOVED) {
          changed.accept(after);
        }
        lane.actions.removeFirst();
      }
    } catch (IOException failed) {
      meters.failed();
      complaint.about(failed);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      // It would fail again for ever; it is in the log as it was sent.
      LOG.log(Level.ERROR, "an action of " + lane.deliveryId + " was passed over", bug);
      lane.actions.removeFirst();
    }
  }

  private static Acted acted(@Nullable Delivery after, Move action) {
    if (after == null) {
      return Acted.UNKNOWN;
    }
    for (int i = after.events().size() - 1; i >= 0; i--) {
      DeliveryEvent event = after.events().get(i);
      if (event.source() != null && event.source().equals(action.source())) {
        return event.late() ? Acted.LATE : Acted.MOVED;
      }
    }
    boolean waits =
        after.waiting().stream()
            .anyMatch(early -> early.source() != null && early.source().equals(action.source()));
    return waits ? Acted.WAITING : Acted.IGNORED;
  }

  private synchronized void save() throws IOException, InterruptedException {
    if (position > cursor.sequence()) {
      cursor.advance(position);
    }
  }

  /** The log is full: what was not looked at is let go. */
  private synchronized boolean letGo(long through) throws IOException, InterruptedException {
    if (through > cursor.sequence()) {
      meters.skipped(Math.max(0, through - Math.max(position, cursor.sequence())));
      cursor.advance(through);
    }
    return true;
  }

  private void reopen() {
    try {
      reader.close();
    } catch (IOException unclosed) {
      complaint.about(unclosed);
    }
    reader = log.reader(position + 1);
  }
}
