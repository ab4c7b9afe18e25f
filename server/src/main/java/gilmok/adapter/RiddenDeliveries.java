package gilmok.adapter;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.DeliveryPlace;
import gilmok.deliveries.DeliveryStore;
import gilmok.performance.RiddenDelivery;
import gilmok.performance.RiderHistory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads deliveries as performance looks at them. Thread-safe; blocks. */
public record RiddenDeliveries(DeliveryStore store) implements RiderHistory {
  private static final int PAGE = 500;

  /** A delivery is rarely under way for longer; one that is counts without what was before. */
  private static final long UNDER_WAY_MILLIS = Duration.ofDays(2).toMillis();

  @Override
  public List<RiddenDelivery> deliveries(Whose whose, long fromMillis, long untilMillis, int most)
      throws IOException, InterruptedException {
    List<RiddenDelivery> ridden = new ArrayList<>();
    List<RiddenDelivery> earlier = new ArrayList<>();
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
        if (ride != null && ride.assignedAt() < untilMillis) {
          (ended != null && ended < fromMillis ? earlier : ridden).add(ride);
        }
        before = one.id();
      }
      if (Math.max(ridden.size(), earlier.size()) > most) {
        throw new IOException("over performance.deliveries-max, " + most);
      }
    } while (page.size() == PAGE);
    addTours(ridden, earlier, fromMillis);
    return ridden;
  }

  @Override
  public long keptFromMillis() throws IOException, InterruptedException {
    String id = store.removedTo();
    return id.isEmpty() ? 0 : DeliveryId.millis(id) + 1;
  }

  /** Adds those that ended before, but overlap what goes on over the begin of the time. */
  private static void addTours(
      List<RiddenDelivery> ridden, List<RiddenDelivery> earlier, long fromMillis) {
    Map<String, Long> begins = new HashMap<>();
    for (RiddenDelivery one : ridden) {
      if (one.assignedAt() < fromMillis) {
        begins.merge(one.riderId(), one.assignedAt(), Math::min);
      }
    }
    earlier.sort(Comparator.comparingLong(RiddenDeliveries::end).reversed());
    for (RiddenDelivery one : earlier) {
      Long begin = begins.get(one.riderId());
      Long ended = one.endedAt();
      if (begin != null && ended != null && ended >= begin) {
        begins.put(one.riderId(), Math.min(begin, one.assignedAt()));
        ridden.add(one);
      }
    }
  }

  private static long end(RiddenDelivery one) {
    Long ended = one.endedAt();
    return ended == null ? Long.MAX_VALUE : ended;
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
