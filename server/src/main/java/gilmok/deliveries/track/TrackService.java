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
    List<TrackView.Passed> steps = steps(delivery);
    return switch (delivery.status()) {
      case NEW, ACCEPTED, ASSIGNED ->
          new TrackView("preparing", steps, isLate(delivery, nowMillis), null);
      case PICKED_UP -> {
        TrackView.Coming coming = coming(delivery, nowMillis);
        ArrivalEstimate arrival = coming.arrival();
        long expected = arrival == null ? nowMillis : arrival.expectedMillis();
        yield new TrackView("coming", steps, isLate(delivery, expected), coming);
      }
      case COMPLETED -> new TrackView("delivered", steps, false, null);
      case DECLINED, CANCELLED, FAILED -> new TrackView("ended", List.of(), false, null);
    };
  }

  private static boolean isLate(Delivery delivery, long atMillis) {
    Long dueBy = delivery.order().terms().dueByMillis();
    return dueBy != null && atMillis > dueBy;
  }

  private static List<TrackView.Passed> steps(Delivery delivery) {
    Status status = delivery.status();
    List<TrackView.Passed> steps = new ArrayList<>();
    steps.add(new TrackView.Passed("ordered", delivery.createdAtMillis()));
    if (status != Status.NEW) {
      add("accepted", Step.ACCEPT, delivery, steps);
    }
    if (status == Status.PICKED_UP || status == Status.COMPLETED) {
      add("picked_up", Step.PICK_UP, delivery, steps);
    }
    if (status == Status.COMPLETED) {
      add("delivered", Step.COMPLETE, delivery, steps);
    }
    return steps;
  }

  private static void add(String name, Step step, Delivery delivery, List<TrackView.Passed> steps) {
    steps.add(new TrackView.Passed(name, last(step, delivery).atMillis()));
  }

  private TrackView.Coming coming(Delivery delivery, long nowMillis)
      throws IOException, InterruptedException {
    DeliveryPlace shop = delivery.order().pickup();
    DeliveryPlace door = delivery.order().dropoff();
    String rider = delivery.riderId();
    RiderFix fix = rider == null ? null : latest.apply(rider);
    if (rider == null || fix == null || isOld(fix, nowMillis)) {
      return new TrackView.Coming(shop, door, null, null, 0);
    }
    List<DeliveryPlace> before = before(delivery, rider);
    DeliveryEvent pickedUp = last(Step.PICK_UP, delivery);
    RiderFix began = new RiderFix(shop.lat(), shop.lon(), Double.NaN, pickedUp.atMillis());
    double speed = speeds.note(rider, began, fix);
    ArrivalEstimate arrival = ArrivalEstimate.reckon(fix, before, door, speed, nowMillis);
    return new TrackView.Coming(shop, door, fix, arrival, before.size());
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
    return dueBy == null ? last(Step.PICK_UP, delivery).atMillis() : dueBy;
  }

  /** The last event of that step that counts; the first of all when there is none. */
  private static DeliveryEvent last(Step step, Delivery delivery) {
    DeliveryEvent last = delivery.events().getFirst();
    for (DeliveryEvent event : delivery.events()) {
      if (event.step() == step && !event.late()) {
        last = event;
      }
    }
    return last;
  }
}
