package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.Partner;
import org.jspecify.annotations.Nullable;

/** Which events of a delivery concern whom. Pure functions. */
final class PendingEvents {
  private PendingEvents() {}

  /** The first event after {@code told} that a partner is to be told of; null when none is. */
  static @Nullable DeliveryEvent next(Outbox.Due due, Partner partner, int told) {
    Delivery delivery = due.delivery();
    for (DeliveryEvent event : delivery.events()) {
      if (event.sequence() > told && partner.wants(event.step().eventType())) {
        return event;
      }
    }
    return null;
  }
}
