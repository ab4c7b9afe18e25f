package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryJson;
import gilmok.deliveries.Lifecycle;
import gilmok.deliveries.Partner;
import gilmok.event.JsonBuffer;
import java.time.Duration;
import java.util.List;

/**
 * What a partner is told: one event and the delivery as it was then. The same bytes each time.
 *
 * @param id {@code deliveryId:sequence}: the header {@code webhook-id}, and the name of the telling
 *     in the API
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Webhook(String id, byte[] body) {
  /** The webhook of an event. */
  static Webhook of(Delivery delivery, DeliveryEvent event) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"type\":\"").ascii(event.step().eventType());
    out.ascii("\",\"timestamp\":").time(event.atMillis());
    out.ascii(",\"data\":");
    DeliveryJson.write(Lifecycle.at(delivery, event.sequence()), out);
    out.ascii(",\"sequence\":").number((long) event.sequence()).put('}');
    return new Webhook(id(delivery.id(), event.sequence()), out.copy());
  }

  /** The name of a telling. */
  static String id(String deliveryId, int sequence) {
    return deliveryId + ':' + sequence;
  }

  /** The call that tells a partner now. */
  WebhookCall call(
      Partner partner, WebhookTarget target, Duration overlap, long nowMillis, int attempt) {
    long seconds = nowMillis / 1000;
    String signature =
        WebhookSignature.header(id, seconds, body, secrets(partner, overlap, nowMillis));
    return new WebhookCall(target, id, seconds, signature, body, attempt);
  }

  /** The secrets that sign now: a former one only for so long. */
  static List<String> secrets(Partner partner, Duration overlap, long nowMillis) {
    boolean isOver = nowMillis - partner.updatedAtMillis() >= overlap.toMillis();
    return isOver ? partner.secrets().subList(0, 1) : partner.secrets();
  }
}
