package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.observe.PartTimes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the documents that {@link DeliveryWriter} writes, from JSON or BSON. Unknown fields are
 * skipped, so that documents of a newer version can be read. Not thread-safe: one instance for each
 * document.
 */
final class DeliveryReader {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int UNSAID = -1;

  private final FieldReader in;
  private String id = "";
  private @Nullable String agencyId;
  private Status status = Status.NEW;
  private int version;
  private @Nullable String riderId;
  private @Nullable String reason;
  private @Nullable DeliveryProof proof;
  private long createdAt;
  private long updatedAt;
  private List<DeliveryEvent> events = List.of();
  private List<Move> waiting = List.of();

  private String orderId = "";
  private String shopId = "";
  private @Nullable String orderAgency;
  private @Nullable String customerId;
  private @Nullable DeliveryPlace pickup;
  private @Nullable DeliveryPlace dropoff;
  private @Nullable Long fee;
  private @Nullable String currency;
  private @Nullable Long readyAt;
  private @Nullable Long dueBy;
  private @Nullable String comment;

  /** The sequence of the event read last, and the rider who has the delivery after it. */
  private int sequence;

  private @Nullable String present;

  /**
   * @param nowhere the place of pickup or drop-off for an order that has none; null where each must
   *     have one
   */
  DeliveryReader(FieldReader in, @Nullable DeliveryPlace nowhere) {
    this.in = in;
    pickup = nowhere;
    dropoff = nowhere;
  }

  /**
   * Reads the delivery of a JSON document.
   *
   * @throws IllegalStateException when the document is not a delivery: another program has written
   *     it
   */
  static Delivery read(byte[] document) {
    return PartTimes.worked(PartTimes.MAPPING, () -> mapped(document));
  }

  private static Delivery mapped(byte[] document) {
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), document)) {
      json.nextToken();
      FieldReader in = new JsonFieldReader(json);
      DeliveryReader reader = new DeliveryReader(in, null);
      for (String name = in.next(); name != null; name = in.next()) {
        reader.field(name);
      }
      return reader.delivery();
    }
  }

  /**
   * Reads the delivery of a row. The document must be of the row's id and version: what was sent is
   * noted by the row, so another document would be sent again for ever.
   *
   * @throws IllegalStateException when the document is not a delivery, or not that of the row
   */
  static Delivery readAs(String id, int version, byte[] document) {
    Delivery delivery = read(document);
    if (!delivery.id().equals(id) || delivery.version() != version) {
      throw new IllegalStateException(
          "its document is of " + delivery.id() + ", version " + delivery.version());
    }
    return delivery;
  }

  /** Reads a field of the delivery whose name was just read. */
  void field(String name) {
    switch (name) {
      case "id", "_id" -> id = in.text();
      case "orderId" -> orderId = in.text();
      case "shopId" -> shopId = in.text();
      case "order" -> order();
      case "agencyId" -> agencyId = in.text();
      case "status" -> status = Status.valueOf(in.text());
      case "version" -> version = in.count();
      case "riderId" -> riderId = in.text();
      case "reason" -> reason = in.text();
      case "proof" -> proof = proof();
      case "createdAt" -> createdAt = in.whole();
      case "updatedAt" -> updatedAt = in.whole();
      case "events" -> events = in.list(this::event);
      case "waiting" -> waiting = in.list(this::waiting);
      default -> in.skip();
    }
  }

  /** The delivery that was read. */
  Delivery delivery() {
    if (pickup == null || dropoff == null) {
      throw new IllegalStateException("a delivery without its order's places: " + id);
    }
    OrderTerms terms = new OrderTerms(fee, currency, readyAt, dueBy, comment);
    DeliveryOrder order =
        new DeliveryOrder(orderId, shopId, orderAgency, customerId, pickup, dropoff, terms);
    DeliveryState state = new DeliveryState(agencyId, status, version, riderId, reason, proof);
    return new Delivery(id, order, state, createdAt, updatedAt, events, waiting);
  }

  private void order() {
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      switch (name) {
        case "orderId" -> orderId = in.text();
        case "shopId" -> shopId = in.text();
        case "agencyId" -> orderAgency = in.text();
        case "customerId" -> customerId = in.text();
        case "pickup" -> pickup = place();
        case "dropoff" -> dropoff = place();
        case "fee" -> fee = in.whole();
        case "currency" -> currency = in.text();
        case "readyAt" -> readyAt = in.whole();
        case "dueBy" -> dueBy = in.whole();
        case "comment" -> comment = in.text();
        default -> in.skip();
      }
    }
  }

  private DeliveryPlace place() {
    double lat = 0;
    double lon = 0;
    String address = "";
    String phone = null;
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      switch (name) {
        case "lat" -> lat = in.number();
        case "lon" -> lon = in.number();
        case "address" -> address = in.text();
        case "phone" -> phone = in.text();
        default -> in.skip();
      }
    }
    return new DeliveryPlace(lat, lon, address, phone);
  }

  private DeliveryProof proof() {
    DeliveryProof.Kind kind = DeliveryProof.Kind.CODE;
    String code = null;
    String sha256 = null;
    String url = null;
    in.begin();
    for (String name = in.next(); name != null; name = in.next()) {
      switch (name) {
        case "kind" -> kind = DeliveryProof.Kind.valueOf(in.text());
        case "code" -> code = in.text();
        case "sha256" -> sha256 = in.text();
        case "url" -> url = in.text();
        default -> in.skip();
      }
    }
    return new DeliveryProof(kind, code, sha256, url);
  }

  private DeliveryEvent event() {
    DeliveryEvent event = new Happening().read().event();
    if (!event.late()) {
      sequence = event.sequence();
      present = event.step() == Step.UNASSIGN ? null : event.riderId();
    }
    return event;
  }

  private Move waiting() {
    return new Happening().read().move();
  }

  /** Reads an event, or an action that waits. */
  private final class Happening {
    private int its = UNSAID;
    private Step step = Step.CREATE;
    private long at;
    private @Nullable Long claimedAt;
    private @Nullable Long arrivedAt;
    private long recordedAt;
    private String by = "";
    private Binding.@Nullable Kind boundTo;
    private @Nullable String boundId;
    private @Nullable Integer ifVersion;
    private @Nullable Double lat;
    private @Nullable Double lon;
    private @Nullable String rider;
    private @Nullable String agency;
    private @Nullable String why;
    private @Nullable DeliveryProof arrival;
    private @Nullable String source;
    private @Nullable String trace;
    private boolean late;

    Happening read() {
      in.begin();
      for (String name = in.next(); name != null; name = in.next()) {
        switch (name) {
          case "sequence" -> its = in.count();
          case "step" -> step = Step.valueOf(in.text());
          case "at" -> at = in.whole();
          case "claimedAt" -> claimedAt = in.whole();
          case "arrivedAt" -> arrivedAt = in.whole();
          case "recordedAt" -> recordedAt = in.whole();
          case "by" -> by = in.text();
          case "bindingKind", "boundTo" -> boundTo = Binding.Kind.valueOf(in.text());
          case "bindingId", "boundId" -> boundId = in.text();
          case "ifVersion" -> ifVersion = in.count();
          case "lat" -> lat = in.number();
          case "lon" -> lon = in.number();
          case "riderId" -> rider = in.text();
          case "agencyId" -> agency = in.text();
          case "reason" -> why = in.text();
          case "proof" -> arrival = proof();
          case "source" -> source = in.text();
          case "trace" -> trace = in.text();
          case "late" -> late = in.flag();
          default -> in.skip();
        }
      }
      return this;
    }

    /**
     * The event that was read. If sequence and rider are absent, they follow from the events before
     * it.
     */
    DeliveryEvent event() {
      if (its == UNSAID) {
        its = late ? 0 : sequence + 1;
        rider = step == Step.ASSIGN ? rider : present;
      }
      return new DeliveryEvent(its, step, at, claimedAt, recordedAt, by, details(), late);
    }

    Move move() {
      Binding binding = boundTo == null || boundId == null ? null : new Binding(boundTo, boundId);
      long arrived = arrivedAt == null ? at : arrivedAt; // an older version did not keep it
      return new Move(step, by, binding, at, arrived, ifVersion, details());
    }

    private StepDetails details() {
      return new StepDetails(lat, lon, rider, agency, why, arrival, source, trace);
    }
  }
}
