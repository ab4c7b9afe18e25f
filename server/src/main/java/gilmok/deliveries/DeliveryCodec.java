package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.event.JsonBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as JSON in UTF-8, as SQLite keeps it: the names of the records' fields, times in epoch
 * ms, enums by their names; what is null, empty or false is left out. {@link DeliveryReader} reads
 * it back. Not thread-safe: it has a buffer that is used again.
 */
final class DeliveryCodec {
  private final JsonBuffer out = new JsonBuffer();

  /** The document of a delivery. */
  byte[] write(Delivery delivery) {
    out.clear();
    out.ascii("{\"id\":").string(delivery.id());
    out.ascii(",\"order\":");
    order(delivery.order());
    text(",\"agencyId\":", delivery.agencyId());
    out.ascii(",\"status\":\"").ascii(delivery.status().name()).put('"');
    out.ascii(",\"version\":").number(delivery.version());
    text(",\"riderId\":", delivery.riderId());
    text(",\"reason\":", delivery.reason());
    proof(delivery.proof());
    out.ascii(",\"createdAt\":").number(delivery.createdAtMillis());
    out.ascii(",\"updatedAt\":").number(delivery.updatedAtMillis());
    out.ascii(",\"events\":[");
    List<DeliveryEvent> events = delivery.events();
    for (int i = 0; i < events.size(); i++) {
      if (i > 0) {
        out.put(',');
      }
      event(events.get(i));
    }
    out.put(']');
    waiting(delivery.waiting());
    out.put('}');
    byte[] document = new byte[out.size()];
    System.arraycopy(out.bytes(), 0, document, 0, document.length);
    return document;
  }

  private void order(DeliveryOrder order) {
    out.ascii("{\"orderId\":").string(order.orderId());
    out.ascii(",\"shopId\":").string(order.shopId());
    text(",\"agencyId\":", order.agencyId());
    text(",\"customerId\":", order.customerId());
    out.ascii(",\"pickup\":");
    place(order.pickup());
    out.ascii(",\"dropoff\":");
    place(order.dropoff());
    number(",\"fee\":", order.fee());
    text(",\"currency\":", order.currency());
    number(",\"readyAt\":", order.readyAtMillis());
    number(",\"dueBy\":", order.dueByMillis());
    text(",\"comment\":", order.comment());
    out.put('}');
  }

  private void place(DeliveryPlace place) {
    out.ascii("{\"lat\":").number(place.lat());
    out.ascii(",\"lon\":").number(place.lon());
    out.ascii(",\"address\":").string(place.address());
    text(",\"phone\":", place.phone());
    out.put('}');
  }

  private void proof(@Nullable DeliveryProof proof) {
    if (proof == null) {
      return;
    }
    out.ascii(",\"proof\":{\"kind\":\"").ascii(proof.kind().name()).put('"');
    text(",\"code\":", proof.code());
    text(",\"sha256\":", proof.sha256());
    text(",\"url\":", proof.url());
    out.put('}');
  }

  private void event(DeliveryEvent event) {
    out.ascii("{\"sequence\":").number(event.sequence());
    out.ascii(",\"step\":\"").ascii(event.step().name()).put('"');
    out.ascii(",\"at\":").number(event.atMillis());
    out.ascii(",\"recordedAt\":").number(event.recordedAtMillis());
    out.ascii(",\"by\":").string(event.by());
    decimal(",\"lat\":", event.lat());
    decimal(",\"lon\":", event.lon());
    text(",\"riderId\":", event.riderId());
    text(",\"agencyId\":", event.agencyId());
    text(",\"reason\":", event.reason());
    proof(event.proof());
    text(",\"source\":", event.source());
    if (event.late()) {
      out.ascii(",\"late\":true");
    }
    out.put('}');
  }

  private void waiting(List<Move> waiting) {
    if (waiting.isEmpty()) {
      return;
    }
    out.ascii(",\"waiting\":[");
    for (int i = 0; i < waiting.size(); i++) {
      if (i > 0) {
        out.put(',');
      }
      move(waiting.get(i));
    }
    out.put(']');
  }

  private void move(Move move) {
    out.ascii("{\"step\":\"").ascii(move.step().name()).put('"');
    out.ascii(",\"by\":").string(move.by());
    Binding binding = move.binding();
    if (binding != null) {
      out.ascii(",\"bindingKind\":\"").ascii(binding.kind().name()).put('"');
      out.ascii(",\"bindingId\":").string(binding.id());
    }
    out.ascii(",\"at\":").number(move.atMillis());
    Integer ifVersion = move.ifVersion();
    if (ifVersion != null) {
      out.ascii(",\"ifVersion\":").number(ifVersion.longValue());
    }
    decimal(",\"lat\":", move.lat());
    decimal(",\"lon\":", move.lon());
    text(",\"riderId\":", move.riderId());
    text(",\"agencyId\":", move.agencyId());
    text(",\"reason\":", move.reason());
    proof(move.proof());
    text(",\"source\":", move.source());
    out.put('}');
  }

  private void text(String name, @Nullable String value) {
    if (value != null) {
      out.ascii(name).string(value);
    }
  }

  private void number(String name, @Nullable Long value) {
    if (value != null) {
      out.ascii(name).number(value.longValue());
    }
  }

  private void decimal(String name, @Nullable Double value) {
    if (value != null) {
      out.ascii(name).number(value.doubleValue());
    }
  }
}
