package gilmok.deliveries;

import gilmok.auth.Binding;
import org.jspecify.annotations.Nullable;

/**
 * Writes a delivery's document. Its field names are those of the records; times are epoch ms, enums
 * are names; null, empty and false values are left out. {@link DeliveryReader} reads it back. Not
 * thread-safe, as its output is not.
 *
 * @param isAddedTo whether moves append events without reading those before them, as in MongoDB. An
 *     event's sequence is left out then, as it follows from the events before it; so is its rider,
 *     except where the event sets it ({@link Step#ASSIGN}).
 */
record DeliveryWriter(FieldWriter out, boolean isAddedTo) {
  /** A delivery as JSON in UTF-8, the form in SQLite. */
  static byte[] json(Delivery delivery, JsonFieldWriter out) {
    out.clear();
    new DeliveryWriter(out, false).write(delivery);
    return out.bytes();
  }

  private void write(Delivery delivery) {
    out.begin();
    out.text("id", delivery.id());
    out.begin("order");
    out.text("orderId", delivery.order().orderId());
    out.text("shopId", delivery.order().shopId());
    order(delivery.order());
    out.end();
    state(delivery);
    out.whole("createdAt", delivery.createdAtMillis());
    history(delivery);
    out.end();
  }

  /** Writes an order without its two ids. */
  void order(DeliveryOrder order) {
    out.text("agencyId", order.agencyId());
    out.text("customerId", order.customerId());
    place("pickup", order.pickup());
    place("dropoff", order.dropoff());
    OrderTerms terms = order.terms();
    out.optional("fee", terms.fee());
    out.text("currency", terms.currency());
    out.optional("readyAt", terms.readyAtMillis());
    out.optional("dueBy", terms.dueByMillis());
    out.text("comment", terms.comment());
  }

  private void place(String name, DeliveryPlace place) {
    out.begin(name);
    out.number("lat", place.lat());
    out.number("lon", place.lon());
    out.text("address", place.address());
    out.text("phone", place.phone());
    out.end();
  }

  /** Writes the present state. */
  void state(Delivery delivery) {
    out.text("agencyId", delivery.agencyId());
    out.text("status", delivery.status().name());
    out.count("version", delivery.version());
    out.text("riderId", delivery.riderId());
    out.text("reason", delivery.state().reason());
    proof(delivery.state().proof());
  }

  void proof(@Nullable DeliveryProof proof) {
    if (proof != null) {
      out.begin("proof");
      out.text("kind", proof.kind().name());
      out.text("code", proof.code());
      out.text("sha256", proof.sha256());
      out.text("url", proof.url());
      out.end();
    }
  }

  /** Writes the events and the waiting actions. */
  void history(Delivery delivery) {
    out.whole("updatedAt", delivery.updatedAtMillis());
    out.beginList("events");
    for (DeliveryEvent event : delivery.events()) {
      out.begin();
      event(event);
      out.end();
    }
    out.endList();
    if (!delivery.waiting().isEmpty()) {
      out.beginList("waiting");
      for (Move early : delivery.waiting()) {
        waiting(early);
      }
      out.endList();
    }
  }

  /** Writes the fields of an event. */
  void event(DeliveryEvent event) {
    if (!isAddedTo) {
      out.count("sequence", event.sequence());
    }
    out.text("step", event.step().name());
    out.whole("at", event.atMillis());
    out.optional("claimedAt", event.claimedAtMillis());
    out.whole("recordedAt", event.recordedAtMillis());
    out.text("by", event.by());
    boolean isImplied = isAddedTo && event.step() != Step.ASSIGN;
    details(event.details(), isImplied ? null : event.riderId());
    if (event.late()) {
      out.flag("late", true);
    }
  }

  private void waiting(Move move) {
    out.begin();
    out.text("step", move.step().name());
    out.text("by", move.by());
    Binding binding = move.binding();
    if (binding != null) {
      out.text(isAddedTo ? "boundTo" : "bindingKind", binding.kind().name());
      out.text(isAddedTo ? "boundId" : "bindingId", binding.id());
    }
    out.whole("at", move.atMillis());
    out.whole("arrivedAt", move.arrivedAtMillis());
    Integer ifVersion = move.ifVersion();
    out.optional("ifVersion", ifVersion == null ? null : (Long) ifVersion.longValue());
    details(move.details(), move.riderId());
    out.end();
  }

  private void details(StepDetails details, @Nullable String riderId) {
    out.optional("lat", details.lat());
    out.optional("lon", details.lon());
    out.text("riderId", riderId);
    out.text("agencyId", details.agencyId());
    out.text("reason", details.reason());
    proof(details.proof());
    out.text("source", details.source());
    out.text("trace", details.trace());
  }
}
