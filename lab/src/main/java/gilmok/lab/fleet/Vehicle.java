package gilmok.lab.fleet;

/** A rider's vehicle. Speeds in m/s, accelerations in m/s². */
enum Vehicle {
  MOTORBIKE("motorbike", 36, 60, 2.2, 2.8, 500, 4_500),
  BICYCLE("bicycle", 12, 22, 0.9, 1.8, 300, 2_200),
  FOOT("foot", 3.6, 5.4, 0.8, 1.5, 150, 900);

  private final String label;
  private final double slowest;
  private final double fastest;
  private final double pull;
  private final double brake;
  private final double nearest;
  private final double farthest;

  Vehicle(
      String label,
      double slowestKmPerHour,
      double fastestKmPerHour,
      double pull,
      double brake,
      double nearest,
      double farthest) {
    this.label = label;
    this.slowest = slowestKmPerHour / 3.6;
    this.fastest = fastestKmPerHour / 3.6;
    this.pull = pull;
    this.brake = brake;
    this.nearest = nearest;
    this.farthest = farthest;
  }

  String label() {
    return label;
  }

  /** The free speed of the most careful rider. */
  double slowest() {
    return slowest;
  }

  /** The free speed of the boldest rider. */
  double fastest() {
    return fastest;
  }

  double pull() {
    return pull;
  }

  double brake() {
    return brake;
  }

  /** The least distance from the shop to a customer, in metres. */
  double nearest() {
    return nearest;
  }

  /** The greatest distance from the shop to a customer, in metres. */
  double farthest() {
    return farthest;
  }
}
