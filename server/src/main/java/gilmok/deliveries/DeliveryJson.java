package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries and their events as JSON, for the API, partners and the log. Absent values are left
 * out; times are RFC 3339 in UTC, money is in whole minor units. Thread-safe.
 */
public final class DeliveryJson {
  private DeliveryJson() {}

  /** Writes a delivery without its events. */
  public static void write(Delivery delivery, JsonBuffer out) {
    members(delivery, out);
    out.put('}');
  }

  /** Writes a delivery with all its events, as it is exported. */
  static void whole(Delivery delivery, JsonBuffer out) {
    members(delivery, out);
    out.ascii(",\"events\":").list(delivery.events(), DeliveryJson::write);
    if (!delivery.waiting().isEmpty()) {
      out.ascii(",\"waiting\":").list(delivery.waiting(), DeliveryJson::write);
    }
    out.put('}');
  }

  /** Writes a rider's action that came early, and waits for its turn. */
  private static void write(Move early, JsonBuffer out) {
    out.ascii("{\"type\":\"").ascii(early.step().eventType());
    out.ascii("\",\"at\":").time(early.atMillis());
    out.ascii(",\"recordedAt\":").time(early.arrivedAtMillis());
    out.ascii(",\"by\":").string(early.by());
    number(",\"lat\":", early.details().lat(), out);
    number(",\"lon\":", early.details().lon(), out);
    text(",\"reason\":", early.details().reason(), out);
    proof(early.details().proof(), out);
    text(",\"source\":", early.source(), out);
    out.put('}');
  }

  private static void members(Delivery delivery, JsonBuffer out) {
    out.ascii("{\"id\":").string(delivery.id());
    order(delivery.order(), delivery.agencyId(), out);
    out.ascii(",\"status\":\"").ascii(delivery.status().name());
    out.ascii("\",\"version\":").number((long) delivery.version());
    text(",\"riderId\":", delivery.riderId(), out);
    text(",\"reason\":", delivery.state().reason(), out);
    proof(delivery.state().proof(), out);
    out.ascii(",\"createdAt\":").time(delivery.createdAtMillis());
    out.ascii(",\"updatedAt\":").time(delivery.updatedAtMillis());
  }

  /**
   * Writes an order alone. Equal orders have equal bytes, whose hash identifies a repeated
   * creation.
   */
  static void write(DeliveryOrder order, JsonBuffer out) {
    out.ascii("{\"order\":1");
    order(order, order.agencyId(), out);
    out.put('}');
  }

  /** Writes an event. */
  public static void write(DeliveryEvent event, JsonBuffer out) {
    out.ascii("{\"sequence\":").number((long) event.sequence());
    out.ascii(",\"type\":\"").ascii(event.step().eventType());
    out.ascii("\",\"at\":").time(event.atMillis());
    time(",\"claimedAt\":", event.claimedAtMillis(), out);
    out.ascii(",\"recordedAt\":").time(event.recordedAtMillis());
    out.ascii(",\"by\":").string(event.by());
    number(",\"lat\":", event.details().lat(), out);
    number(",\"lon\":", event.details().lon(), out);
    text(",\"riderId\":", event.riderId(), out);
    text(",\"agencyId\":", event.agencyId(), out);
    text(",\"reason\":", event.reason(), out);
    proof(event.proof(), out);
    text(",\"source\":", IdempotencyKey.isSource(event.source()) ? null : event.source(), out);
    out.ascii(event.late() ? ",\"late\":true}" : "}");
  }

  /**
   * Writes a record of the stream {@code deliveries}: an event and the delivery as it was after it.
   */
  static void told(DeliveryEvent event, Delivery then, JsonBuffer out) {
    out.ascii("{\"id\":\"").ascii(recordId(then));
    out.ascii("\",\"type\":\"").ascii(event.step().eventType());
    out.ascii("\",\"timestamp\":").time(event.recordedAtMillis());
    out.ascii(",\"sequence\":").number((long) event.sequence());
    out.ascii(",\"data\":");
    write(then, out);
    out.ascii(",\"event\":");
    write(event, out);
    text(",\"traceparent\":", event.details().trace(), out);
    out.put('}');
  }

  /** The record id of this version of a delivery: {@code deliveryId:version}. */
  public static String recordId(Delivery delivery) {
    return delivery.id() + ":" + delivery.version();
  }

  /** The JSON member of a refusal that shows the delivery's present state. */
  static String present(Delivery delivery) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("\"delivery\":{\"id\":").string(delivery.id());
    out.ascii(",\"status\":\"").ascii(delivery.status().name());
    out.ascii("\",\"version\":").number((long) delivery.version());
    text(",\"riderId\":", delivery.riderId(), out);
    return out.put('}').toString();
  }

  private static void order(DeliveryOrder order, @Nullable String agencyId, JsonBuffer out) {
    out.ascii(",\"orderId\":").string(order.orderId());
    out.ascii(",\"shopId\":").string(order.shopId());
    text(",\"agencyId\":", agencyId, out);
    text(",\"customerId\":", order.customerId(), out);
    place(",\"pickup\":", order.pickup(), out);
    place(",\"dropoff\":", order.dropoff(), out);
    OrderTerms terms = order.terms();
    Long fee = terms.fee();
    if (fee != null) {
      out.ascii(",\"fee\":").number((long) fee);
    }
    text(",\"currency\":", terms.currency(), out);
    time(",\"readyAt\":", terms.readyAtMillis(), out);
    time(",\"dueBy\":", terms.dueByMillis(), out);
    text(",\"comment\":", terms.comment(), out);
  }

  private static void place(String name, DeliveryPlace place, JsonBuffer out) {
    out.ascii(name).ascii("{\"lat\":").number(place.lat());
    out.ascii(",\"lon\":").number(place.lon());
    out.ascii(",\"address\":").string(place.address());
    text(",\"phone\":", place.phone(), out);
    out.put('}');
  }

  private static void proof(@Nullable DeliveryProof proof, JsonBuffer out) {
    if (proof != null) {
      out.ascii(",\"proof\":{\"kind\":\"").ascii(proof.kind().name().toLowerCase(Locale.ROOT));
      out.put('"');
      text(",\"code\":", proof.code(), out);
      text(",\"sha256\":", proof.sha256(), out);
      text(",\"url\":", proof.url(), out);
      out.put('}');
    }
  }

  private static void text(String name, @Nullable String value, JsonBuffer out) {
    if (value != null) {
      out.ascii(name).string(value);
    }
  }

  private static void number(String name, @Nullable Double value, JsonBuffer out) {
    if (value != null) {
      out.ascii(name).number((double) value);
    }
  }

  private static void time(String name, @Nullable Long millis, JsonBuffer out) {
    if (millis != null) {
      out.ascii(name).time(millis);
    }
  }
}
