package gilmok.deliveries;

import gilmok.auth.Binding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A delivery: an order on its way, its present state and all its events. Immutable.
 *
 * @param id made at creation ({@link DeliveryId}); ids sort by creation time
 * @param events all events in the order of recording, late ones included, at most {@link
 *     #EVENTS_MAX}
 * @param waiting riders' actions that came early, at most {@link #WAITING_MAX}
 */
public record Delivery(
    String id,
    DeliveryOrder order,
    DeliveryState state,
    long createdAtMillis,
    long updatedAtMillis,
    List<DeliveryEvent> events,
    List<Move> waiting) {
  /** Most events of one delivery; further moves are refused. */
  public static final int EVENTS_MAX = 256;

  /** Most late events among them, so that the moves always have room. */
  public static final int LATE_MAX = 64;

  /** Most early actions that wait at a delivery. */
  public static final int WAITING_MAX = 32;

  /** How long an early action waits before it is dropped. */
  public static final long WAITING_MILLIS = 24 * 3_600_000L;

  public Delivery {
    events = List.copyOf(events);
    waiting = List.copyOf(waiting);
  }

  /** See {@link DeliveryState}. */
  public @Nullable String agencyId() {
    return state.agencyId();
  }

  /** See {@link DeliveryState}. */
  public Status status() {
    return state.status();
  }

  /** See {@link DeliveryState}. */
  public int version() {
    return state.version();
  }

  /** See {@link DeliveryState}. */
  public @Nullable String riderId() {
    return state.riderId();
  }

  /** Whether that rider, shop or agency has a part in it. */
  public boolean isOf(Binding binding) {
    return switch (binding.kind()) {
      case RIDER -> binding.id().equals(riderId());
      case SHOP -> binding.id().equals(order.shopId());
      case AGENCY -> binding.id().equals(agencyId());
    };
  }

  /** The event of that sequence; null when there is none, and for 0. */
  public @Nullable DeliveryEvent event(int sequence) {
    for (DeliveryEvent event : events) {
      if (event.sequence() == sequence && sequence > 0) {
        return event;
      }
    }
    return null;
  }
}
