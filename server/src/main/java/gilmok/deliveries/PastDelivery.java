package gilmok.deliveries;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads deliveries of the past: an order, how far it came, and when. Its events are either all
 * there, as an export has them, or are made of the times that another system has kept. Not
 * thread-safe: one for each body.
 */
final class PastDelivery {
  private static final int ID_CHARS_MAX = 128;
  private static final int REASON_CHARS_MAX = 512;
  private static final int AUTHOR_CHARS_MAX = 256;
  private static final int LATE = 0;

  /** The times that other systems keep, in the order in which they come. */
  private static final List<String> TIMES =
      List.of("acceptedAt", "assignedAt", "pickedUpAt", "completedAt", "endedAt");

  private static final Set<String> MEMBERS = members();
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
  private final OrderBody orders;
  private final MoveBody moves;
  private final MessageDigest sha256;
  private final String author;

  /**
   * @param author of events that are made here: {@code key:ID}
   * @param currency of fees that name none
   */
  PastDelivery(
      JsonDocument document, Fields fields, MessageDigest sha256, String author, String currency) {
    this.document = document;
    this.fields = fields;
    this.sha256 = sha256;
    this.author = author;
    orders = new OrderBody(document, fields, currency);
    moves = new MoveBody(document, fields);
  }

  private static Set<String> members() {
    Set<String> members = new HashSet<>(OrderBody.MEMBERS);
    members.addAll(TIMES);
    members.addAll(
        Set.of(
            "id",
            "status",
            "version",
            "riderId",
            "reason",
            "proof",
            "createdAt",
            "updatedAt",
            "events"));
    return Set.copyOf(members);
  }

  /** Reads the delivery at that value; null when something is wrong, which the fields then say. */
  @Nullable Delivery read(int value) {
    fields.only(value, "", MEMBERS);
    DeliveryOrder order = orders.order(value);
    Status status = status(value);
    Long createdAt = fields.time(value, "", "createdAt");
    if (createdAt == null) {
      fields.wrong("createdAt", Reason.MISSING);
    }
    if (!fields.isGood() || status == null || createdAt == null) {
      return null;
    }
    int list = document.member(value, "events");
    List<DeliveryEvent> events =
        document.isNull(list) ? made(value, status, createdAt) : given(list);
    if (!fields.isGood()) {
      return null;
    }
    String id = fields.text(value, "", "id", DeliveryId.CHARS);
    if (id != null && !DeliveryId.isOne(id)) {
      fields.wrong("id", "not an id of this server; leave it out");
    }
    String known = id == null ? derived(order, createdAt) : id;
    Delivery past = told(known, order, createdAt, events);
    check(value, status, past);
    return fields.isGood() ? past : null;
  }

  private @Nullable Status status(int value) {
    String name = fields.need(value, "", "status", ID_CHARS_MAX);
    for (Status status : Status.values()) {
      if (status.name().equals(name.toUpperCase(Locale.ROOT))) {
        return status;
      }
    }
    fields.wrong("status", "is none, as COMPLETED is");
    return null;
  }

  private String derived(DeliveryOrder order, long createdAt) {
    String both = order.shopId().length() + ":" + order.shopId() + order.orderId();
    return DeliveryId.derived(createdAt, sha256.digest(both.getBytes(StandardCharsets.UTF_8)));
  }

  /** The delivery after those events. */
  private static Delivery told(
      String id, DeliveryOrder given, long createdAt, List<DeliveryEvent> events) {
    // An agency that accepted by name was not the order's before.
    boolean isAgencyLater = events.stream().anyMatch(event -> event.agencyId() != null);
    DeliveryOrder order =
        isAgencyLater
            ? new DeliveryOrder(
                given.orderId(),
                given.shopId(),
                null,
                given.customerId(),
                given.pickup(),
                given.dropoff(),
                given.terms())
            : given;
    DeliveryState none = new DeliveryState(null, Status.NEW, 0, null, null, null);
    Delivery unfolded = new Delivery(id, order, none, createdAt, createdAt, events, List.of());
    Delivery folded = Lifecycle.at(unfolded, Delivery.EVENTS_MAX);
    long updatedAt =
        events.stream().mapToLong(DeliveryEvent::recordedAtMillis).max().orElse(createdAt);
    return new Delivery(id, order, folded.state(), createdAt, updatedAt, events, List.of());
  }

  private void check(int value, Status status, Delivery past) {
    String rider = fields.text(value, "", "riderId", ID_CHARS_MAX);
    Long version = fields.whole(value, "", "version", Delivery.EVENTS_MAX);
    fields.time(value, "", "updatedAt");
    if (past.status() != status) {
      fields.wrong("status", "is not what the events lead to");
    } else if (rider != null && !Objects.equals(rider, past.riderId())) {
      fields.wrong("riderId", "is not whom the events name");
    } else if (version != null && version != past.version()) {
      fields.wrong("version", "is not the number of events");
    }
  }

  /** Events made of times: one for each step that the status needs or a time shows. */
  private List<DeliveryEvent> made(int value, Status status, long createdAt) {
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
    if (isPicked && status == Status.CANCELLED) {
      fields.wrong("status", "cannot be CANCELLED behind the pickup, but FAILED");
    }
    StepDetails end =
        new StepDetails(null, null, isAssigned ? rider : null, null, reason, proof, null);
    switch (status) {
      case COMPLETED -> making.add(Step.COMPLETE, times[3] == null ? times[4] : times[3], end);
      case DECLINED -> making.add(Step.DECLINE, times[4], end);
      case CANCELLED -> making.add(Step.CANCEL, times[4], end);
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

  private List<DeliveryEvent> given(int list) {
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
}
