package gilmok.deliveries.relay;

import gilmok.deliveries.Delivery;
import gilmok.event.JsonBuffer;

/** Writes a delivery as the API gives it. Called from any thread. */
@FunctionalInterface
public interface DeliveryText {
  /** Writes one JSON object. */
  void write(Delivery delivery, JsonBuffer out);
}
