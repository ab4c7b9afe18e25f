package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.background.BackgroundLoops;
import gilmok.background.BackgroundThread;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.deliveries.DeliveryMeters.Acted;
import gilmok.event.EventField;
import gilmok.event.EventView;
import gilmok.log.Follower;
import gilmok.log.Log;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the log and applies riders' actions to their deliveries. Actions of one delivery are
 * applied in their order, those of different deliveries in parallel, each at least once. The cursor
 * {@code deliveries} keeps the position. While the store is down the reader waits, and nobody else
 * does.
 *
 * <p>Called by its follower's thread.
 */
final class ActionReader implements Follower.Taker {
  /** The name of its cursor. */
  static final String CURSOR = "deliveries";

  /** The attribute, true, of an action that has moved what it could on another server. */
  private static final String IMPORTED = "imported";

  /** Most actions that are given to the store at a time. */
  private static final int ACTIONS_MAX = 256;

  private final DeliveryStore store;
  private final DeliveryMeters meters;
  private final Consumer<Delivery> changed;
  private final EventView view = new EventView();
  private final JsonDocument document = new JsonDocument();
  private final MoveBody bodies;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();

  /** The follower that calls it. */
  final Follower follower;

  /** One delivery's pending actions, in order; handled by one thread at a time. */
  private record Lane(String deliveryId, List<Move> actions) {}

  /** Why lanes were not finished: an outage of the store, or a bug. One of each is kept. */
  private record Failures(AtomicReference<IOException> outage, AtomicReference<Throwable> bug) {}

  /**
   * @param changed called with each delivery that an action has changed, on any thread
   */
  ActionReader(
      Log log,
      DeliveryStore store,
      DeliveryMeters meters,
      BackgroundLoops loops,
      Consumer<Delivery> changed)
      throws IOException, InterruptedException {
    this.store = store;
    this.meters = meters;
    this.changed = changed;
    bodies = new MoveBody(document, new Fields(document));
    follower =
        new Follower(
            log, CURSOR, ACTIONS_MAX, this, loops, "riders' actions do not move deliveries");
  }

  /** Takes the reader's current record if it is an action with a delivery and a step. */
  @Override
  public boolean take(LogReader reader) {
    if (reader.stream() != Stream.ACTIONS) {
      return false;
    }
    view.wrap(reader.bytes(), reader.offset(), reader.length());
    String id = view.text(EventField.DELIVERY_ID);
    String type = id == null ? null : view.text(EventField.TYPE);
    Step step = type == null ? null : Step.ofLabel(type);
    if (id == null || step == null || isOfThePast()) {
      return false;
    }
    if (!DeliveryId.isOne(id)) {
      meters.acted(Acted.UNKNOWN);
      return false;
    }
    lanes
        .computeIfAbsent(id, one -> new Lane(one, new ArrayList<>()))
        .actions
        .add(move(reader, step));
    return true;
  }

  /**
   * Whether an import has brought it, as its attribute {@link #IMPORTED} says. What it did is in
   * the history of its delivery, which was imported, too.
   */
  private boolean isOfThePast() {
    if (!view.has(EventField.ATTRIBUTES)) {
      return false;
    }
    int root =
        document.read(
            view.bytes(), view.offset(EventField.ATTRIBUTES), view.length(EventField.ATTRIBUTES));
    return root != JsonDocument.NONE && document.isTrue(document.member(root, IMPORTED));
  }

  private Move move(LogReader reader, Step step) {
    String rider = view.riderId();
    long received = reader.receivedAtMillis();
    boolean hasPlace = view.has(EventField.LAT);
    Move move =
        new Move(
            step,
            "rider:" + rider,
            new Binding(Binding.Kind.RIDER, rider),
            view.at(),
            received,
            null,
            new StepDetails(
                hasPlace ? (Double) view.lat() : null,
                hasPlace ? (Double) view.lon() : null,
                step == Step.ASSIGN ? rider : null,
                null,
                null,
                null,
                reader.node() + ":" + reader.sequence()));
    return view.has(EventField.ATTRIBUTES)
        ? bodies.with(
            move,
            view.bytes(),
            view.offset(EventField.ATTRIBUTES),
            view.length(EventField.ATTRIBUTES))
        : move;
  }

  @Override
  public void drop() {
    lanes.clear();
  }

  @Override
  public void settle() throws IOException, InterruptedException {
    Failures failures = new Failures(new AtomicReference<>(), new AtomicReference<>());
    List<Thread> threads = new ArrayList<>();
    for (Lane lane : lanes.values()) {
      threads.add(BackgroundThread.startVirtual("delivery-action", () -> act(lane, failures)));
    }
    for (Thread one : threads) {
      one.join();
    }
    lanes.values().removeIf(lane -> lane.actions.isEmpty());
    IOException outage = failures.outage.get();
    if (outage != null) {
      throw outage;
    }
    if (!lanes.isEmpty()) {
      String id = lanes.keySet().iterator().next();
      throw new IllegalStateException("an action of " + id + " failed", failures.bug.get());
    }
  }

  /** Applies a lane's actions and removes those that were applied; one that failed stays. */
  private void act(Lane lane, Failures failures) {
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
    } catch (IOException away) {
      meters.failures.increment();
      failures.outage.set(away);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error bug) {
      failures.bug.set(bug);
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

  @Override
  public void skipped(long records) {
    meters.skipped.add(records);
  }
}
