package gilmok.lab.torture;

import java.util.List;
import java.util.Locale;

/**
 * One delivery from its order to its end, and what the server has said of it. Of one lane at a
 * time; what is read by others is volatile.
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

  /** Whose it is: a partner that behaves, or one that does not always. */
  enum Shop {
    GOOD,
    MOODY;

    String id() {
      return "shop-" + name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param plan the steps after its creation
   * @param isByActions whether its rider's phone says that it is picked up and handed over
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

  /** Empty until its creation was answered. */
  String id() {
    return id;
  }

  /** The highest version that was answered; 0 before its creation was. */
  int version() {
    return version;
  }

  /** Something was asked and not answered: it may have happened. */
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

  /** It is known to have come so far. */
  void reached(int answered) {
    version = answered;
    isUnsure = false;
    isActionTaken = false;
  }

  /** The phone's word of the next step has been answered. */
  boolean isActionTaken() {
    return isActionTaken;
  }

  void actionTaken() {
    isActionTaken = true;
  }

  boolean isEnded() {
    return version == plan.size() + 1;
  }

  /** The status at the version that was answered. */
  String status() {
    return version < 2 ? "NEW" : plan.get(version - 2).to();
  }

  /** What comes next; not for one that has ended. */
  Edge next() {
    return plan.get(version - 1);
  }

  boolean isNextByAction() {
    return isByActions && (next() == Edge.PICKED_UP || next() == Edge.COMPLETED);
  }

  boolean isCompleted() {
    return isEnded() && plan.getLast() == Edge.COMPLETED;
  }

  /** The whole story, from its creation. */
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

  /** What the rider's phone says of the next step; the same however often it is asked. */
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
