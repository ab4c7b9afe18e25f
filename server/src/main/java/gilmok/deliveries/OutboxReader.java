package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/** A recipient of deliveries' events. */
public enum OutboxReader {
  /** The log's stream {@code deliveries}. */
  LOG,
  /** The partner that is the delivery's shop. */
  SHOP,
  /** The partner that is the delivery's agency. */
  AGENCY;

  /** The id of the shop or agency that gets a delivery's events; null when there is none. */
  public @Nullable String partnerId(Delivery delivery) {
    return switch (this) {
      case LOG -> null;
      case SHOP -> delivery.order().shopId();
      case AGENCY -> delivery.agencyId();
    };
  }
}
