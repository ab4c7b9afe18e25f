package gilmok.deliveries.track;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryEvent;
import gilmok.deliveries.DeliveryPlace;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.Status;
import gilmok.deliveries.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds what customers see of their deliveries. Thread-safe; calls block as the store does.
 *
 * @param latest returns a rider's latest position; null when there is none
 */
record TrackService(
    DeliveryStore store,
    Function<String, @Nullable RiderFix> latest,
    Duration positionAgeMax,
    RecentSpeeds speeds) {
  /** More deliveries than a rider carries at a time. */
  private static final int CARRIED_MAX = 50;

  /** What the customer of a delivery sees; null when there is no such delivery. */
  @Nullable TrackView look(String deliveryId, long nowMillis)
      throws IOException, InterruptedException {
    Delivery delivery = store.find(deliveryId);
    if (delivery == null) {
      return null;
    }
    return switch (delivery.status()) {
      case NEW, ACCEPTED, ASSIGNED -> new TrackView("preparing", null);
      case PICKED_UP -> new TrackView("coming", coming(delivery, nowMillis));
      case COMPLETED -> new TrackView("delivered", null);
      case DECLINED, CANCELLED, FAILED -> new TrackView("ended", null);
    };
  }

  private TrackView.Coming coming(Delivery delivery, long nowMillis)
      throws IOException, InterruptedException {
    String rider = delivery.riderId();
    RiderFix fix = rider == null ? null : latest.apply(rider);
    if (rider == null || fix == null || isOld(fix, nowMillis)) {
      return new TrackView.Coming(null, null, 0);
    }
    List<DeliveryPlace> before = before(delivery, rider);
    DeliveryEvent pickedUp = pickedUp(delivery);
    DeliveryPlace shop = delivery.order().pickup();
    RiderFix began = new RiderFix(shop.lat(), shop.lon(), Double.NaN, pickedUp.atMillis());
    double speed = speeds.note(rider, began, fix);
    ArrivalEstimate arrival =
        ArrivalEstimate.reckon(fix, before, delivery.order().dropoff(), speed, nowMillis);
    return new TrackView.Coming(fix, arrival, before.size());
  }

  private boolean isOld(RiderFix fix, long nowMillis) {
    return nowMillis - fix.atMillis() > positionAgeMax.toMillis();
  }

  /**
   * The places of the rider's other deliveries that are due, or were picked up, before this one.
   */
  private List<DeliveryPlace> before(Delivery delivery, String rider)
      throws IOException, InterruptedException {
    var filter = new DeliveryStore.Filter(Status.PICKED_UP, rider, null, null, null, null);
    Comparator<Delivery> inOrder =
        Comparator.comparingLong(TrackService::wantedAt).thenComparing(Delivery::id);
    List<Delivery> carried = new ArrayList<>(store.list(filter, null, CARRIED_MAX));
    carried.removeIf(other -> inOrder.compare(other, delivery) >= 0);
    carried.sort(inOrder);
    return carried.stream().map(other -> other.order().dropoff()).toList();
  }

  private static long wantedAt(Delivery delivery) {
    Long dueBy = delivery.order().terms().dueByMillis();
    return dueBy == null ? pickedUp(delivery).atMillis() : dueBy;
  }

  private static DeliveryEvent pickedUp(Delivery delivery) {
    DeliveryEvent last = delivery.events().getFirst();
    for (DeliveryEvent event : delivery.events()) {
      if (event.step() == Step.PICK_UP && !event.late()) {
        last = event;
      }
    }
    return last;
  }
}
