package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import gilmok.retention.OldDocument;
import org.jspecify.annotations.Nullable;

/**
 * A delivery with all that is stored of it, as it is archived. Immutable.
 *
 * @param revision differs whenever the delivery does
 * @param isTold whether no event waits for the log, the shop or the agency
 */
public record StoredDelivery(
    Delivery delivery, long revision, boolean isTold, RelayProgress shop, RelayProgress agency)
    implements OldDocument {
  /** The cause of those that have not ended, or were changed lately. */
  static final String OPEN = "open";

  /** The cause of those of which an event still waits for the log, the shop or the agency. */
  static final String UNTOLD = "untold";

  @Override
  public String id() {
    return delivery.id();
  }

  @Override
  public long sinceMillis() {
    return DeliveryId.millis(delivery.id());
  }

  @Override
  public String label() {
    return delivery.id();
  }

  /**
   * One that has not ended, or of which an event still waits for the log, the shop or the agency,
   * stays. Entries of statements are made from the log, which keeps an event until that has been
   * done.
   */
  @Override
  public @Nullable String stays(long beforeMillis) {
    if (!delivery.status().isEnd() || delivery.updatedAtMillis() >= beforeMillis) {
      return OPEN;
    }
    return isTold ? null : UNTOLD;
  }

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
