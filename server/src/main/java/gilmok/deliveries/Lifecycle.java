package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.deliveries.Decision.Allowed;
import gilmok.deliveries.Decision.Denied;
import gilmok.deliveries.Decision.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state machine of deliveries: pure functions. Thread-safe. */
public final class Lifecycle {
  private Lifecycle() {}

  /** A new delivery, with the event of its creation. */
  public static Delivery create(String id, DeliveryOrder order, String by, long nowMillis) {
    return create(id, order, by, nowMillis, StepDetails.NONE);
  }

  /**
   * A new delivery.
   *
   * @param details of its first event
   */
  static Delivery create(
      String id, DeliveryOrder order, String by, long nowMillis, StepDetails details) {
    DeliveryEvent created =
        new DeliveryEvent(1, Step.CREATE, nowMillis, null, nowMillis, by, details, false);
    return fresh(id, order, nowMillis, created);
  }

  private static Delivery fresh(
      String id, DeliveryOrder order, long atMillis, DeliveryEvent created) {
    DeliveryState state = new DeliveryState(order.agencyId(), Status.NEW, 1, null, null, null);
    return new Delivery(id, order, state, atMillis, atMillis, List.of(created), List.of());
  }

  /**
   * The outcome of a move: the decision of {@link #decide} and, if the move happens, the waiting
   * actions that became possible ({@link #settle}). A store does this in one atomic step.
   */
  public static Decision move(Delivery present, Move move, long nowMillis) {
    return switch (decide(present, move, nowMillis)) {
      case Allowed(Delivery next) ->
          next.waiting().isEmpty()
              ? new Allowed(next)
              : new Allowed(settle(unexpired(next, nowMillis), nowMillis));
      case Denied denied -> denied;
    };
  }

  /**
   * The outcome of a rider's action. It happens, or waits, or is noted as late. It is ignored if it
   * is a repeat, if its rider does not have the delivery, or if there is no room for it. Then the
   * waiting actions that became possible happen. Actions that have waited for {@link
   * Delivery#WAITING_MILLIS} are dropped. A store does this in one atomic step.
   *
   * @return the same object when nothing changes
   */
  public static Delivery act(Delivery present, Move action, long nowMillis) {
    Delivery fresh = unexpired(present, nowMillis);
    return switch (decide(fresh, action, nowMillis)) {
      case Allowed(Delivery next) -> settle(next, nowMillis);
      case Denied(Why why) ->
          switch (why) {
            case STATE, NOT_YOURS -> untimely(fresh, action, nowMillis);
            case VERSION, REPEAT, BODY_DIFFERS, TOO_MANY -> fresh;
          };
    };
  }

  /** Decides whether a move may happen now, and how the delivery is after it. */
  public static Decision decide(Delivery present, Move move, long nowMillis) {
    if (isKnown(present, move)) {
      return new Denied(Why.REPEAT);
    }
    if (IdempotencyKey.isSource(move.source())
        && present.events().stream()
            .anyMatch(event -> IdempotencyKey.isSame(event.source(), move.source()))) {
      return new Denied(Why.BODY_DIFFERS);
    }
    if (!isPart(present, move)) {
      return new Denied(Why.NOT_YOURS);
    }
    Integer ifVersion = move.ifVersion();
    if (ifVersion != null && ifVersion != present.version()) {
      return new Denied(Why.VERSION);
    }
    if (!move.step().sources().contains(present.status())) {
      return new Denied(Why.STATE);
    }
    if (present.events().size() >= Delivery.EVENTS_MAX) {
      return new Denied(Why.TOO_MANY);
    }
    DeliveryEvent event = event(present, move, present.version() + 1, nowMillis, false);
    List<Move> waiting = new ArrayList<>(present.waiting());
    waiting.removeIf(
        early -> move.source() != null && Objects.equals(early.source(), move.source()));
    return new Allowed(after(present, event, waiting));
  }

  /**
   * Notes a rider's action that came too late; its event changes nothing else. Returns the same
   * object if the action is a repeat or there is no room: at most {@link Delivery#LATE_MAX} late
   * events are kept, so that the others have theirs.
   */
  public static Delivery late(Delivery present, Move action, long nowMillis) {
    if (isKnown(present, action)
        || present.events().size() >= Delivery.EVENTS_MAX
        || present.events().stream().filter(DeliveryEvent::late).count() >= Delivery.LATE_MAX) {
      return without(present, action);
    }
    List<DeliveryEvent> events = new ArrayList<>(present.events());
    events.add(event(present, action, 0, nowMillis, true));
    return without(with(present, events, present.waiting()), action);
  }

  /**
   * Holds a rider's action that came early until it can happen. Returns the same object if the
   * action waits already, or if {@link Delivery#WAITING_MAX} do.
   */
  public static Delivery hold(Delivery present, Move action) {
    boolean waits =
        present.waiting().stream()
            .anyMatch(
                early ->
                    Objects.equals(early.source(), action.source())
                        || isAgain(early, early.by(), early.atMillis(), action));
    if (waits) {
      return present;
    }
    List<Move> waiting = new ArrayList<>(present.waiting());
    if (waiting.size() >= Delivery.WAITING_MAX && !makeRoom(present, waiting, action)) {
      return present;
    }
    waiting.add(action);
    return with(present, present.events(), waiting);
  }

  /**
   * Drops a waiting action of another rider for one of the rider who has the delivery: whoever
   * knows its id could fill all places. False when there is none to drop.
   */
  private static boolean makeRoom(Delivery present, List<Move> waiting, Move action) {
    if (present.riderId() == null || !hasNow(present, action)) {
      return false;
    }
    for (int i = 0; i < waiting.size(); i++) {
      if (!hasNow(present, waiting.get(i))) {
        Move _ = waiting.remove(i);
        return true;
      }
    }
    return false;
  }

  /** Whether the step can still become possible in this status: the action is early, not late. */
  public static boolean isEarly(Status status, Step step) {
    return switch (step) {
      case CREATE, DECLINE, CANCEL, UNASSIGN, ACCEPT -> false;
      case ASSIGN -> status == Status.NEW;
      case PICK_UP -> status == Status.NEW || status == Status.ACCEPTED;
      case COMPLETE, FAIL ->
          status == Status.NEW || status == Status.ACCEPTED || status == Status.ASSIGNED;
    };
  }

  /**
   * Applies the waiting actions that became possible, the oldest first, until none is left. Those
   * that can never happen any more are noted as late.
   */
  private static Delivery settle(Delivery moved, long nowMillis) {
    Delivery present = moved;
    for (Move early = ready(present, nowMillis); early != null; early = ready(present, nowMillis)) {
      if (decide(present, early, nowMillis) instanceof Allowed(Delivery next)) {
        present = without(next, early);
      }
    }
    for (Move early : present.waiting()) {
      if (!isEarly(present.status(), early.step())) {
        present =
            hasHad(present, early) ? late(present, early, nowMillis) : without(present, early);
      }
    }
    return present;
  }

  /** The oldest waiting action that may happen now; null when there is none. */
  private static @Nullable Move ready(Delivery present, long nowMillis) {
    Move oldest = null;
    for (Move early : present.waiting()) {
      if ((oldest == null || countsAt(present, early) < countsAt(present, oldest))
          && decide(present, early, nowMillis) instanceof Allowed) {
        oldest = early;
      }
    }
    return oldest;
  }

  /** The outcome of an action that cannot happen now: held, noted as late, or ignored. */
  private static Delivery untimely(Delivery present, Move action, long nowMillis) {
    boolean isOthers = present.riderId() != null && !hasNow(present, action);
    if (isOthers || !isRiders(action)) {
      return present;
    }
    if (isEarly(present.status(), action.step())) {
      return nowMillis - countsAt(present, action) >= Delivery.WAITING_MILLIS
          ? present
          : hold(present, action);
    }
    return hasHad(present, action) ? late(present, action, nowMillis) : present;
  }

  private static boolean isRiders(Move action) {
    Binding binding = action.binding();
    return binding == null || (binding.kind() == Binding.Kind.RIDER && action.step().isRiders());
  }

  /** Whether the action's rider has the delivery. True for the fleet. */
  private static boolean hasNow(Delivery present, Move action) {
    Binding binding = action.binding();
    return binding == null || binding.id().equals(present.riderId());
  }

  /** Whether the action's rider has, or had, the delivery. True for the fleet. */
  private static boolean hasHad(Delivery present, Move action) {
    Binding binding = action.binding();
    return binding == null
        || binding.id().equals(present.riderId())
        || (present.riderId() == null
            && present.events().stream().anyMatch(event -> binding.id().equals(event.riderId())));
  }

  private static Delivery unexpired(Delivery present, long nowMillis) {
    if (present.waiting().isEmpty()) {
      return present;
    }
    List<Move> waiting = new ArrayList<>(present.waiting());
    return waiting.removeIf(
            early -> nowMillis - countsAt(present, early) >= Delivery.WAITING_MILLIS)
        ? with(present, present.events(), waiting)
        : present;
  }

  private static Delivery without(Delivery present, Move action) {
    List<Move> waiting = new ArrayList<>(present.waiting());
    return waiting.removeIf(early -> Objects.equals(early.source(), action.source()))
        ? with(present, present.events(), waiting)
        : present;
  }

  /**
   * The delivery as it was after the event of that sequence, without late events and waiting
   * actions: what a partner is sent.
   */
  public static Delivery at(Delivery now, int sequence) {
    boolean isPlain = now.waiting().isEmpty() && now.events().size() == now.version();
    if (isPlain && sequence >= now.version()) {
      return now;
    }
    Delivery then = now;
    for (DeliveryEvent event : now.events()) {
      if (event.sequence() == 1) {
        then = fresh(now.id(), now.order(), now.createdAtMillis(), event);
      } else if (event.sequence() > 1 && event.sequence() <= sequence) {
        then = after(then, event, List.of());
      }
    }
    return then;
  }

  private static long countsAt(Delivery present, Move move) {
    return move.countsAtMillis(present.createdAtMillis());
  }

  /** Whether the delivery has that move: from the same source, or as an action sent twice. */
  private static boolean isKnown(Delivery present, Move move) {
    String source = move.source();
    if (source != null) {
      for (DeliveryEvent event : present.events()) {
        Long claimed = event.claimedAtMillis();
        long at = claimed == null ? event.atMillis() : claimed;
        if (source.equals(event.source()) || isAgain(event, event.by(), at, move)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether an action is one that is there already: a phone that had no answer sent it to another
   * node, where it is another record. No rider does the same twice in a millisecond.
   */
  private static boolean isAgain(DetailedStep there, String by, long atMillis, Move action) {
    return there.step() == action.step()
        && atMillis == action.atMillis()
        && by.equals(action.by())
        && isRecord(there.source())
        && isRecord(action.source());
  }

  private static boolean isRecord(@Nullable String source) {
    return source != null && !IdempotencyKey.isSource(source);
  }

  /** Whether the caller has the part in the delivery that the step needs. */
  private static boolean isPart(Delivery present, Move move) {
    Binding binding = move.binding();
    if (binding == null) {
      return true;
    }
    boolean isIts = present.isOf(binding);
    return switch (binding.kind()) {
      case RIDER -> isIts && move.step().isRiders();
      case SHOP -> isIts && move.step() == Step.CANCEL;
      case AGENCY -> {
        // A new delivery without an agency may be accepted by any agency; but only for itself.
        boolean isForItself = move.agencyId() == null || binding.id().equals(move.agencyId());
        boolean takes =
            present.agencyId() == null
                && present.status() == Status.NEW
                && move.step() == Step.ACCEPT
                && binding.id().equals(move.agencyId());
        yield (isIts || takes) && isForItself && move.step() != Step.CANCEL;
      }
    };
  }

  private static DeliveryEvent event(
      Delivery present, Move move, int sequence, long nowMillis, boolean late) {
    String rider = move.step() == Step.ASSIGN ? move.riderId() : present.riderId();
    return DeliveryEvent.of(move, present.createdAtMillis(), sequence, nowMillis, rider, late);
  }

  private static Delivery after(Delivery before, DeliveryEvent event, List<Move> waiting) {
    List<DeliveryEvent> events = new ArrayList<>(before.events());
    events.add(event);
    Step step = event.step();
    DeliveryState state =
        new DeliveryState(
            event.agencyId() == null ? before.agencyId() : event.agencyId(),
            step.target(),
            event.sequence(),
            switch (step) {
              case ASSIGN -> event.riderId();
              case UNASSIGN -> null;
              default -> before.riderId();
            },
            step.target().isEnd() ? event.reason() : null,
            step == Step.COMPLETE ? event.proof() : null);
    return new Delivery(
        before.id(),
        before.order(),
        state,
        before.createdAtMillis(),
        event.recordedAtMillis(),
        events,
        waiting);
  }

  private static Delivery with(Delivery present, List<DeliveryEvent> events, List<Move> waiting) {
    return new Delivery(
        present.id(),
        present.order(),
        present.state(),
        present.createdAtMillis(),
        present.updatedAtMillis(),
        events,
        waiting);
  }
}
