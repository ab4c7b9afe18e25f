package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history of a delivery of the past: its events are either all there, as an export has
 * them, or are made of the times that another system has kept. Not thread-safe.
 */
final class PastEvents {
  /** The times that other systems keep, in the order in which they come. */
  static final List<String> TIMES =
      List.of("acceptedAt", "assignedAt", "pickedUpAt", "completedAt", "endedAt");

  private static final int ID_CHARS_MAX = 128;
  private static final int REASON_CHARS_MAX = 512;
  private static final int AUTHOR_CHARS_MAX = 256;
  private static final int LATE = 0;
  private static final String RIDER = "rider:";

  private static final Set<String> OF_EVENT =
      Set.of(
          "sequence",
          "type",
          "at",
          "claimedAt",
          "recordedAt",
          "by",
          "lat",
          "lon",
          "riderId",
          "agencyId",
          "reason",
          "proof",
          "source",
          "late");

  private final JsonDocument document;
  private final Fields fields;
  private final MoveBody moves;
  private final String author;

  /**
   * @param author of events that are made here: {@code key:ID}
   */
  PastEvents(JsonDocument document, Fields fields, String author) {
    this.document = document;
    this.fields = fields;
    this.author = author;
    moves = new MoveBody(document, fields);
  }

  /** Events made of times: one for each step that the status needs or a time shows. */
  List<DeliveryEvent> made(int value, Status status, long createdAt) {
    Long[] times = new Long[TIMES.size()];
    long latest = createdAt;
    for (int i = 0; i < times.length; i++) {
      Long time = fields.time(value, "", TIMES.get(i));
      if (time != null && time < latest) {
        fields.wrong(TIMES.get(i), "is before what comes before it");
      }
      times[i] = time;
      latest = time == null ? latest : time;
    }
    String rider = fields.text(value, "", "riderId", ID_CHARS_MAX);
    String reason = fields.lines(value, "", "reason", REASON_CHARS_MAX);
    DeliveryProof proof = moves.proof(value);
    Making making = new Making(createdAt);
    making.add(Step.CREATE, createdAt, StepDetails.NONE);
    boolean isPicked = status == Status.PICKED_UP || status == Status.COMPLETED || has(times, 2, 3);
    boolean isRiders = rider != null && (status == Status.CANCELLED || status == Status.FAILED);
    boolean isAssigned = isPicked || isRiders || status == Status.ASSIGNED || has(times, 1, 1);
    boolean isAccepted =
        isAssigned || status == Status.ACCEPTED || status == Status.FAILED || has(times, 0, 0);
    if (isAccepted) {
      making.add(Step.ACCEPT, times[0], StepDetails.NONE);
    }
    if (isAssigned) {
      making.add(Step.ASSIGN, times[1], StepDetails.NONE.about(rider, null));
      if (rider == null) {
        fields.wrong("riderId", Reason.MISSING);
      }
    }
    if (isPicked) {
      making.add(Step.PICK_UP, times[2], StepDetails.NONE.about(rider, null));
    }
    if (times[3] != null && status != Status.COMPLETED) {
      fields.wrong("completedAt", "only of what is COMPLETED");
    } else if (times[4] != null && !status.isEnd()) {
      fields.wrong("endedAt", "only of what has ended");
    }
    StepDetails end =
        new StepDetails(null, null, isAssigned ? rider : null, null, reason, proof, null);
    switch (status) {
      case COMPLETED -> making.add(Step.COMPLETE, times[3] == null ? times[4] : times[3], end);
      case DECLINED -> making.add(Step.DECLINE, times[4], end);
      // Behind the pickup a delivery can only fail.
      case CANCELLED -> making.add(isPicked ? Step.FAIL : Step.CANCEL, times[4], end);
      case FAILED -> making.add(Step.FAIL, times[4], end);
      case NEW, ACCEPTED, ASSIGNED, PICKED_UP -> {}
    }
    return making.events();
  }

  private static boolean has(Long[] times, int from, int to) {
    for (int i = from; i <= to; i++) {
      if (times[i] != null) {
        return true;
      }
    }
    return false;
  }

  /** Events while they are made. */
  private final class Making {
    private final List<DeliveryEvent> events = new ArrayList<>();
    private long latest;

    Making(long createdAt) {
      latest = createdAt;
    }

    /** Adds a step; one whose time nobody has kept counts as having followed the one before. */
    void add(Step step, @Nullable Long at, StepDetails details) {
      latest = at == null ? latest : Math.max(latest, at);
      events.add(
          new DeliveryEvent(events.size() + 1, step, latest, null, latest, author, details, false));
    }

    List<DeliveryEvent> events() {
      checkOrder(events);
      return events;
    }
  }

  /** The events of an export. */
  List<DeliveryEvent> given(int list) {
    List<DeliveryEvent> events = new ArrayList<>();
    if (!document.isArray(list)) {
      fields.wrong("events", "not an array");
      return events;
    }
    for (int one = document.first(list);
        one != JsonDocument.NONE && fields.isGood();
        one = document.next(one)) {
      if (events.size() == Delivery.EVENTS_MAX) {
        fields.wrong("events", "over " + Delivery.EVENTS_MAX);
        return events;
      }
      DeliveryEvent event = event(one, "events[" + events.size() + "].");
      if (event != null) {
        events.add(event);
      }
    }
    checkOrder(events);
    return events;
  }

  private @Nullable DeliveryEvent event(int one, String at) {
    if (!document.isObject(one)) {
      fields.wrong(at.substring(0, at.length() - 1), Reason.NOT_AN_OBJECT);
      return null;
    }
    fields.only(one, at, OF_EVENT);
    Step step = Step.ofEventType(fields.need(one, at, "type", ID_CHARS_MAX));
    Long sequence = fields.whole(one, at, "sequence", Delivery.EVENTS_MAX);
    Long happened = fields.time(one, at, "at");
    Long recorded = fields.time(one, at, "recordedAt");
    boolean isLate = document.isTrue(document.member(one, "late"));
    if (step == null) {
      fields.wrong(at + "type", "no type of event, as delivery.created is");
    } else if (happened == null) {
      fields.wrong(at + "at", Reason.MISSING);
    }
    String by = fields.text(one, at, "by", AUTHOR_CHARS_MAX);
    StepDetails details =
        new StepDetails(
            fields.number(one, at, "lat", -90, 90),
            fields.number(one, at, "lon", -180, 180),
            fields.text(one, at, "riderId", ID_CHARS_MAX),
            fields.text(one, at, "agencyId", ID_CHARS_MAX),
            fields.lines(one, at, "reason", REASON_CHARS_MAX),
            moves.proof(one),
            fields.text(one, at, "source", AUTHOR_CHARS_MAX));
    if (!fields.isGood() || step == null || happened == null) {
      return null;
    }
    return new DeliveryEvent(
        isLate ? LATE : sequence == null ? LATE : sequence.intValue(),
        step,
        happened,
        fields.time(one, at, "claimedAt"),
        recorded == null ? happened : recorded,
        by == null ? author : by,
        details,
        isLate);
  }

  /** Checks that the events, but for the late ones, are steps from one status to the next. */
  private void checkOrder(List<DeliveryEvent> events) {
    Status present = null;
    int sequence = 0;
    for (int i = 0; i < events.size() && fields.isGood(); i++) {
      DeliveryEvent event = events.get(i);
      Step step = event.step();
      if (event.late()) {
        continue;
      }
      boolean mayBe = present == null ? step == Step.CREATE : step.sources().contains(present);
      if (event.sequence() != ++sequence) {
        fields.wrong("events[" + i + "].sequence", "is not the next number");
      } else if (!mayBe) {
        fields.wrong("events[" + i + "].type", "cannot follow the one before it");
      } else if (step == Step.ASSIGN && event.riderId() == null) {
        fields.wrong("events[" + i + "].riderId", Reason.MISSING);
      }
      present = step.target();
    }
    if (present == null) {
      fields.wrong("events", "has no delivery.created");
    }
  }

  /** Riders' actions that came early and wait for their turn. */
  List<Move> waiting(int list) {
    List<Move> waiting = new ArrayList<>();
    if (document.isNull(list)) {
      return waiting;
    }
    if (!document.isArray(list)) {
      fields.wrong("waiting", "not an array");
      return waiting;
    }
    for (int one = document.first(list);
        one != JsonDocument.NONE && fields.isGood();
        one = document.next(one)) {
      DeliveryEvent early = event(one, "waiting[" + waiting.size() + "].");
      if (waiting.size() == Delivery.EVENTS_MAX) {
        fields.wrong("waiting", "over " + Delivery.EVENTS_MAX);
      } else if (early != null && !early.by().startsWith(RIDER)) {
        fields.wrong("waiting[" + waiting.size() + "].by", "is no rider");
      } else if (early != null) {
        String rider = early.by().substring(RIDER.length());
        waiting.add(
            new Move(
                early.step(),
                early.by(),
                new Binding(Binding.Kind.RIDER, rider),
                early.atMillis(),
                early.recordedAtMillis(),
                null,
                early.details()));
      }
    }
    return waiting;
  }
}
