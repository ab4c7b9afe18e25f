package gilmok.deliveries;

import gilmok.auth.Binding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the documents that {@link DeliveryCodec} writes; names it does not know are passed over, so
 * that a newer version's documents can still be read. From any thread.
 */
final class DeliveryReader {
  private static final JsonFactory FACTORY = new JsonFactory();

  private static final List<Status> STATUSES = List.of(Status.values());
  private static final List<Step> STEPS = List.of(Step.values());

  private DeliveryReader() {}

  /**
   * The delivery of a document.
   *
   * @throws IllegalStateException when it is none: somebody else has written it
   */
  static Delivery read(byte[] document) {
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), document)) {
      in.nextToken();
      return delivery(in);
    }
  }

  /**
   * The delivery of a row. A document of another one, or of another version, would be told again
   * for ever: what was told is noted by the row.
   *
   * @throws IllegalStateException when the document is none, or not that of the row
   */
  static Delivery readAs(String id, int version, byte[] document) {
    Delivery delivery = read(document);
    if (!delivery.id().equals(id) || delivery.version() != version) {
      throw new IllegalStateException(
          "its document is of " + delivery.id() + ", version " + delivery.version());
    }
    return delivery;
  }

  private static Delivery delivery(JsonParser in) {
    String id = "";
    DeliveryOrder order = null;
    String agencyId = null;
    Status status = Status.NEW;
    int version = 0;
    String riderId = null;
    String reason = null;
    DeliveryProof proof = null;
    long createdAt = 0;
    long updatedAt = 0;
    List<DeliveryEvent> events = List.of();
    List<Move> waiting = List.of();
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      switch (name) {
        case "id" -> id = in.getString();
        case "order" -> order = order(in);
        case "agencyId" -> agencyId = in.getString();
        case "status" -> status = constant(STATUSES, in.getString());
        case "version" -> version = in.getIntValue();
        case "riderId" -> riderId = in.getString();
        case "reason" -> reason = in.getString();
        case "proof" -> proof = proof(in);
        case "createdAt" -> createdAt = in.getLongValue();
        case "updatedAt" -> updatedAt = in.getLongValue();
        case "events" -> events = events(in);
        case "waiting" -> waiting = waiting(in);
        default -> in.skipChildren();
      }
    }
    if (order == null) {
      throw new IllegalStateException("a delivery without an order: " + id);
    }
    return new Delivery(
        id, order, agencyId, status, version, riderId, reason, proof, createdAt, updatedAt, events,
        waiting);
  }

  private static DeliveryOrder order(JsonParser in) {
    String orderId = "";
    String shopId = "";
    String agencyId = null;
    String customerId = null;
    DeliveryPlace pickup = null;
    DeliveryPlace dropoff = null;
    Long fee = null;
    String currency = null;
    Long readyAt = null;
    Long dueBy = null;
    String comment = null;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      switch (name) {
        case "orderId" -> orderId = in.getString();
        case "shopId" -> shopId = in.getString();
        case "agencyId" -> agencyId = in.getString();
        case "customerId" -> customerId = in.getString();
        case "pickup" -> pickup = place(in);
        case "dropoff" -> dropoff = place(in);
        case "fee" -> fee = in.getLongValue();
        case "currency" -> currency = in.getString();
        case "readyAt" -> readyAt = in.getLongValue();
        case "dueBy" -> dueBy = in.getLongValue();
        case "comment" -> comment = in.getString();
        default -> in.skipChildren();
      }
    }
    if (pickup == null || dropoff == null) {
      throw new IllegalStateException("an order without its places: " + orderId);
    }
    return new DeliveryOrder(
        orderId,
        shopId,
        agencyId,
        customerId,
        pickup,
        dropoff,
        fee,
        currency,
        readyAt,
        dueBy,
        comment);
  }

  private static DeliveryPlace place(JsonParser in) {
    double lat = 0;
    double lon = 0;
    String address = "";
    String phone = null;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      switch (name) {
        case "lat" -> lat = in.getDoubleValue();
        case "lon" -> lon = in.getDoubleValue();
        case "address" -> address = in.getString();
        case "phone" -> phone = in.getString();
        default -> in.skipChildren();
      }
    }
    return new DeliveryPlace(lat, lon, address, phone);
  }

  private static DeliveryProof proof(JsonParser in) {
    DeliveryProof.Kind kind = DeliveryProof.Kind.CODE;
    String code = null;
    String sha256 = null;
    String url = null;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      switch (name) {
        case "kind" -> kind = DeliveryProof.Kind.valueOf(in.getString());
        case "code" -> code = in.getString();
        case "sha256" -> sha256 = in.getString();
        case "url" -> url = in.getString();
        default -> in.skipChildren();
      }
    }
    return new DeliveryProof(kind, code, sha256, url);
  }

  private static List<DeliveryEvent> events(JsonParser in) {
    List<DeliveryEvent> events = new ArrayList<>();
    while (in.nextToken() == JsonToken.START_OBJECT) {
      events.add(event(in));
    }
    return events;
  }

  private static DeliveryEvent event(JsonParser in) {
    int sequence = 0;
    Step step = Step.CREATE;
    long at = 0;
    long recordedAt = 0;
    String by = "";
    Double lat = null;
    Double lon = null;
    String riderId = null;
    String agencyId = null;
    String reason = null;
    DeliveryProof proof = null;
    String source = null;
    boolean late = false;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      switch (name) {
        case "sequence" -> sequence = in.getIntValue();
        case "step" -> step = constant(STEPS, in.getString());
        case "at" -> at = in.getLongValue();
        case "recordedAt" -> recordedAt = in.getLongValue();
        case "by" -> by = in.getString();
        case "lat" -> lat = in.getDoubleValue();
        case "lon" -> lon = in.getDoubleValue();
        case "riderId" -> riderId = in.getString();
        case "agencyId" -> agencyId = in.getString();
        case "reason" -> reason = in.getString();
        case "proof" -> proof = proof(in);
        case "source" -> source = in.getString();
        case "late" -> late = in.getBooleanValue();
        default -> in.skipChildren();
      }
    }
    return new DeliveryEvent(
        sequence,
        step,
        at,
        recordedAt,
        by,
        lat,
        lon,
        riderId,
        agencyId,
        reason,
        proof,
        source,
        late);
  }

  private static List<Move> waiting(JsonParser in) {
    List<Move> waiting = new ArrayList<>();
    while (in.nextToken() == JsonToken.START_OBJECT) {
      waiting.add(move(in));
    }
    return waiting;
  }

  private static Move move(JsonParser in) {
    Step step = Step.CREATE;
    String by = "";
    Binding.Kind bindingKind = null;
    String bindingId = null;
    long at = 0;
    Integer ifVersion = null;
    Double lat = null;
    Double lon = null;
    String riderId = null;
    String agencyId = null;
    String reason = null;
    DeliveryProof proof = null;
    String source = null;
    for (String name = in.nextName(); name != null; name = in.nextName()) {
      in.nextToken();
      switch (name) {
        case "step" -> step = constant(STEPS, in.getString());
        case "by" -> by = in.getString();
        case "bindingKind" -> bindingKind = Binding.Kind.valueOf(in.getString());
        case "bindingId" -> bindingId = in.getString();
        case "at" -> at = in.getLongValue();
        case "ifVersion" -> ifVersion = in.getIntValue();
        case "lat" -> lat = in.getDoubleValue();
        case "lon" -> lon = in.getDoubleValue();
        case "riderId" -> riderId = in.getString();
        case "agencyId" -> agencyId = in.getString();
        case "reason" -> reason = in.getString();
        case "proof" -> proof = proof(in);
        case "source" -> source = in.getString();
        default -> in.skipChildren();
      }
    }
    return new Move(
        step,
        by,
        binding(bindingKind, bindingId),
        at,
        ifVersion,
        lat,
        lon,
        riderId,
        agencyId,
        reason,
        proof,
        source);
  }

  private static @Nullable Binding binding(Binding.@Nullable Kind kind, @Nullable String id) {
    return kind == null || id == null ? null : new Binding(kind, id);
  }

  private static <E extends Enum<E>> E constant(List<E> all, String name) {
    for (E one : all) {
      if (one.name().equals(name)) {
        return one;
      }
    }
    throw new IllegalStateException("unknown: " + name);
  }
}
