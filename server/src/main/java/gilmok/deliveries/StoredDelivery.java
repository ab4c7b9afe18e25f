package gilmok.deliveries;

import gilmok.event.JsonBuffer;

/**
 * A delivery with all that is stored of it, as it is archived. Immutable.
 *
 * @param revision differs whenever the delivery does
 * @param isTold whether no event waits for the log, the shop or the agency
 */
public record StoredDelivery(
    Delivery delivery, long revision, boolean isTold, RelayProgress shop, RelayProgress agency) {
  /** The delivery with all its events, as {@code GET /v1/exports/deliveries} has it. */
  public JsonBuffer record() {
    JsonBuffer out = new JsonBuffer();
    DeliveryJson.whole(delivery, out);
    return out;
  }

  /** How shop and agency were told of it: the attempts that are kept, and what was given up. */
  public JsonBuffer relays() {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"shop\":");
    shop.write(out);
    out.ascii(",\"agency\":");
    agency.write(out);
    return out.put('}');
  }
}
