package gilmok.deliveries;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads deliveries of the past: an order, how far it came, and when ({@link PastEvents}). Not
 * thread-safe: one for each body.
 */
final class PastDelivery {
  private static final int ID_CHARS_MAX = 128;
  private static final String FUTURE = "is in the future";
  private static final Set<String> MEMBERS = members();
  private final JsonDocument document;
  private final Fields fields;
  private final OrderBody orders;
  private final PastEvents history;
  private final MessageDigest sha256;
  private final InstantSource clock;

  /**
   * @param author of events that are made here: {@code key:ID}
   * @param currency of fees that name none
   * @param clock what is ahead of it cannot be the past
   */
  PastDelivery(
      JsonDocument document,
      Fields fields,
      MessageDigest sha256,
      String author,
      String currency,
      InstantSource clock) {
    this.document = document;
    this.fields = fields;
    this.sha256 = sha256;
    this.clock = clock;
    orders = new OrderBody(document, fields, currency);
    history = new PastEvents(document, fields, author);
  }

  private static Set<String> members() {
    Set<String> members = new HashSet<>(OrderBody.MEMBERS);
    members.addAll(PastEvents.TIMES);
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
            "events",
            "waiting"));
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
    boolean isMade = document.isNull(list);
    List<DeliveryEvent> events =
        isMade ? history.made(value, status, createdAt) : history.given(list);
    List<Move> waiting = history.waiting(document.member(value, "waiting"));
    Long updatedAt = fields.time(value, "", "updatedAt");
    if (!fields.isGood()) {
      return null;
    }
    String id = fields.text(value, "", "id", DeliveryId.CHARS);
    if (id != null && !DeliveryId.isOne(id)) {
      fields.wrong("id", "not an id of this server; leave it out");
    }
    String known = id == null ? derived(order, createdAt) : id;
    Delivery past = told(known, order, createdAt, events);
    check(value, isMade && past.status() == Status.FAILED ? past.status() : status, past);
    if (!fields.isGood()) {
      return null;
    }
    return new Delivery(
        past.id(),
        past.order(),
        past.state(),
        createdAt,
        updatedAt == null ? past.updatedAtMillis() : updatedAt,
        events,
        waiting);
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
    // A late event changes nothing.
    long updatedAt =
        events.stream()
            .filter(event -> !event.late())
            .mapToLong(DeliveryEvent::recordedAtMillis)
            .max()
            .orElse(createdAt);
    return new Delivery(id, order, folded.state(), createdAt, updatedAt, events, List.of());
  }

  private void check(int value, Status status, Delivery past) {
    String rider = fields.text(value, "", "riderId", ID_CHARS_MAX);
    Long version = fields.whole(value, "", "version", Delivery.EVENTS_MAX);
    if (past.status() != status) {
      fields.wrong("status", "is not what the events lead to");
    } else if (rider != null && !Objects.equals(rider, past.riderId())) {
      fields.wrong("riderId", "is not whom the events name");
    } else if (version != null && version != past.version()) {
      fields.wrong("version", "is not the number of events");
    }
    long latest = clock.millis() + Move.CLOCK_MILLIS;
    if (past.createdAtMillis() > latest) {
      fields.wrong("createdAt", FUTURE);
    } else if (past.events().stream().anyMatch(event -> event.atMillis() > latest)) {
      fields.wrong("events", FUTURE);
    }
  }
}
