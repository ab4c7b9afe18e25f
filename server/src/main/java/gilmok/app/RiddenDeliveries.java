package gilmok.app;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryPlace;
import gilmok.deliveries.DeliveryStore;
import gilmok.performance.RiddenDelivery;
import gilmok.performance.RiderHistory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads deliveries as performance looks at them. Thread-safe; blocks. */
record RiddenDeliveries(DeliveryStore store) implements RiderHistory {
  private static final int PAGE = 500;

  /** A delivery is rarely under way for longer; one that is counts without what was before. */
  private static final long UNDER_WAY_MILLIS = Duration.ofDays(2).toMillis();

  @Override
  public List<RiddenDelivery> deliveries(Whose whose, long fromMillis, long untilMillis, int most)
      throws IOException, InterruptedException {
    List<RiddenDelivery> ridden = new ArrayList<>();
    DeliveryStore.Filter filter =
        new DeliveryStore.Filter(
            null,
            whose.riderId(),
            whose.shopId(),
            whose.agencyId(),
            Math.max(0, fromMillis - UNDER_WAY_MILLIS),
            untilMillis);
    String before = null;
    List<Delivery> page;
    do {
      page = store.list(filter, before, PAGE);
      for (Delivery one : page) {
        RiddenDelivery ride = ridden(one);
        Long ended = ride == null ? null : ride.endedAt();
        boolean isOver = ended != null && ended < fromMillis;
        if (ride != null && ride.assignedAt() < untilMillis && !isOver) {
          ridden.add(ride);
        }
        before = one.id();
      }
      if (ridden.size() > most) {
        throw new IOException("over performance.deliveries-max, " + most);
      }
    } while (page.size() == PAGE);
    return ridden;
  }

  /** The ride of a delivery's last rider; null if it has none. */
  private static @Nullable RiddenDelivery ridden(Delivery delivery) {
    String rider = null;
    long assigned = 0;
    Long picked = null;
    Long completed = null;
    Long ended = null;
    for (DeliveryEvent event : delivery.events()) {
      if (event.late()) {
        continue;
      }
      switch (event.step()) {
        case ASSIGN -> {
          rider = event.riderId();
          assigned = event.atMillis();
        }
        case UNASSIGN -> rider = null;
        case PICK_UP -> picked = event.atMillis();
        case COMPLETE -> {
          completed = event.atMillis();
          ended = completed;
        }
        case FAIL, CANCEL -> ended = event.atMillis();
        case CREATE, ACCEPT, DECLINE -> {}
      }
    }
    if (rider == null) {
      return null;
    }
    return new RiddenDelivery(
        rider,
        place(delivery.order().pickup()),
        place(delivery.order().dropoff()),
        assigned,
        picked,
        completed,
        ended,
        delivery.order().terms().readyAtMillis(),
        delivery.order().terms().dueByMillis());
  }

  private static RiddenDelivery.Place place(DeliveryPlace place) {
    return new RiddenDelivery.Place(place.lat(), place.lon());
  }
}
