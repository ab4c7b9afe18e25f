package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryJson;
import gilmok.deliveries.Lifecycle;
import gilmok.deliveries.Partner;
import gilmok.event.JsonBuffer;
import gilmok.trace.TraceContext;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A webhook: one event and the delivery as it was after that event. Its bytes are the same each
 * time it is made.
 *
 * @param id {@code deliveryId:sequence}: the header {@code webhook-id}, and the id of the webhook
 *     in the API
 * @param body the JSON
 * @param trace the trace that the event is part of; null for none
 * @param riderId the rider whom the body names; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Webhook(String id, byte[] body, @Nullable TraceContext trace, @Nullable String riderId) {
  /** The webhook of an event. */
  static Webhook of(Delivery delivery, DeliveryEvent event) {
    Delivery then = Lifecycle.at(delivery, event.sequence());
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"type\":\"").ascii(event.step().eventType());
    out.ascii("\",\"timestamp\":").time(event.atMillis());
    out.ascii(",\"data\":");
    DeliveryJson.write(then, out);
    out.ascii(",\"sequence\":").number((long) event.sequence()).put('}');
    return new Webhook(
        id(delivery.id(), event.sequence()),
        out.copy(),
        TraceContext.parse(event.details().trace()),
        then.riderId());
  }

  /** The id of a webhook. */
  static String id(String deliveryId, int sequence) {
    return deliveryId + ':' + sequence;
  }

  /**
   * The signed call that sends this webhook to a partner now.
   *
   * @param span the call's own place in a trace; null for none
   */
  WebhookCall call(
      Partner partner,
      WebhookTarget target,
      Duration overlap,
      long nowMillis,
      @Nullable TraceContext span,
      int attempt) {
    long seconds = nowMillis / 1000;
    String signature =
        WebhookSignature.header(id, seconds, body, secrets(partner, overlap, nowMillis));
    String traceparent = span == null ? null : span.header();
    return new WebhookCall(target, id, seconds, signature, body, traceparent, attempt);
  }

  /** The secrets that sign now. A former one signs only until {@code overlap} after the change. */
  static List<String> secrets(Partner partner, Duration overlap, long nowMillis) {
    boolean isOver = nowMillis - partner.updatedAtMillis() >= overlap.toMillis();
    return isOver ? partner.secrets().subList(0, 1) : partner.secrets();
  }
}
