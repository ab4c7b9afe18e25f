package gilmok.performance;

/** What is measured; sums that can be added up over days and riders. In the order of CSV. */
enum Measure {
  DELIVERIES("deliveries"),
  FAILED("failed"),
  PICKUPS("pickups"),
  DROPOFFS("dropoffs"),
  DUE("due"),
  ON_TIME("onTime"),
  LATE_SECONDS("lateSeconds"),
  SHOP_WAITS("shopWaits"),
  SHOP_WAIT_SECONDS("shopWaitSeconds"),
  UNREADY_SECONDS("unreadySeconds"),
  DOOR_WAITS("doorWaits"),
  DOOR_WAIT_SECONDS("doorWaitSeconds"),
  BUSY_SECONDS("busySeconds"),
  IDLE_SECONDS("idleSeconds"),
  POSITIONS("positions"),
  METRES("metres"),
  TOURS("tours"),
  TOURS_PROVEN("toursProven"),
  DRIVEN_METRES("drivenMetres"),
  BEST_METRES("bestMetres");

  private final String label;

  Measure(String label) {
    this.label = label;
  }

  /** The name in answers, with its unit. */
  String label() {
    return label;
  }
}
