package gilmok.lab.torture;

import java.util.List;
import java.util.Locale;

/**
 * One delivery from its creation to its end, with the server's responses. Changed by one lane at a
 * time; the fields that other threads read are volatile.
 */
final class Order {
  private final int number;
  private final Shop shop;
  private final String rider;
  private final List<Edge> plan;
  private final boolean isByActions;
  private volatile String id = "";
  private volatile int version;
  private volatile boolean isUnsure;
  private volatile boolean isActionTaken;

  /** The shop: of a partner that behaves, or of one with faults. */
  enum Shop {
    GOOD,
    MOODY;

    String id() {
      return "shop-" + name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A new order.
   *
   * @param plan the steps after its creation
   * @param isByActions whether its rider's phone reports pickup and drop-off
   */
  Order(int number, Shop shop, String rider, List<Edge> plan, boolean isByActions) {
    this.number = number;
    this.shop = shop;
    this.rider = rider;
    this.plan = plan;
    this.isByActions = isByActions;
  }

  String orderId() {
    return "o-" + number;
  }

  Shop shop() {
    return shop;
  }

  String rider() {
    return rider;
  }

  int fee() {
    return 1_000 + number % 5_000;
  }

  /** The delivery's id; empty until the creation was answered. */
  String id() {
    return id;
  }

  /** The highest version in a response; 0 before the creation was answered. */
  int version() {
    return version;
  }

  /** Whether a request has had no response, so that its step may have happened. */
  boolean isUnsure() {
    return isUnsure;
  }

  void unsure(boolean is) {
    isUnsure = is;
  }

  void created(String given) {
    id = given;
    reached(1);
  }

  /** Records a version that the delivery has certainly reached. */
  void reached(int answered) {
    version = answered;
    isUnsure = false;
    isActionTaken = false;
  }

  /** Whether the action for the next step was acknowledged. */
  boolean isActionTaken() {
    return isActionTaken;
  }

  void actionTaken() {
    isActionTaken = true;
  }

  boolean isEnded() {
    return version == plan.size() + 1;
  }

  /** The status at the known version. */
  String status() {
    return version < 2 ? "NEW" : plan.get(version - 2).to();
  }

  /** The next step; not for an order that has ended. */
  Edge next() {
    return plan.get(version - 1);
  }

  boolean isNextByAction() {
    return isByActions && (next() == Edge.PICKED_UP || next() == Edge.COMPLETED);
  }

  boolean isCompleted() {
    return isEnded() && plan.getLast() == Edge.COMPLETED;
  }

  /** The step at a sequence, counting the creation. */
  Edge at(int sequence) {
    return sequence == 1 ? Edge.CREATED : plan.get(sequence - 2);
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"orderId\":\"%s\",\"shopId\":\"%s\",\"fee\":%d,"
            + "\"pickup\":{\"lat\":37.4979,\"lon\":127.0276,\"address\":\"Teheran-ro 1\"},"
            + "\"dropoff\":{\"lat\":37.5051,\"lon\":127.0411,\"address\":\"Seolleung-ro 9\"}}",
        orderId(),
        shop.id(),
        fee());
  }

  /** The rider's action for the next step; the same for every call. */
  String action(long atMillis) {
    return String.format(
        Locale.ROOT,
        "{\"riderId\":\"%s\",\"at\":%d,\"type\":\"%s\",\"deliveryId\":\"%s\",\"id\":\"%s\"}",
        rider,
        atMillis,
        next().route(),
        id,
        actionId());
  }

  /** The id of that action. */
  String actionId() {
    return "phone-" + number + "-" + next().route();
  }

  @Override
  public String toString() {
    return orderId() + " (" + (id.isEmpty() ? "not created" : id) + ", version " + version + ")";
  }
}
