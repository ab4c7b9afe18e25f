package gilmok.lab.fleet;

/**
 * One ride along a route: the position on it and the speed. It slows down for corners, and stops at
 * red lights and at its end. Not thread-safe.
 */
final class Ride {
  private static final double STEP_SECONDS = 0.25;
  private static final double STOP_BEFORE_LIGHTS = 6;

  /** The hardest braking for lights that have just turned red. */
  private static final double BRAKE_MAX = 4;

  private final Streets streets;
  private final Vehicle vehicle;
  private final double pace;
  private final int[] route;

  /** The highest speed at each crossing that still allows all the following corners. */
  private final float[] bounds;

  private int leg;
  private double along;
  private double length;
  private double limit;
  private double speed;

  /**
   * A ride at the start of its route.
   *
   * @param pace the rider's free speed, in m/s
   * @param route the crossings, two or more
   */
  Ride(Streets streets, Vehicle vehicle, double pace, int[] route) {
    this.streets = streets;
    this.vehicle = vehicle;
    this.pace = pace;
    this.route = route;
    this.bounds = new float[route.length];
    for (int i = route.length - 2; i >= 1; i--) {
      double ahead = bounds[i + 1];
      double reachable = Math.sqrt(ahead * ahead + 2 * vehicle.brake() * streets.length(way(i)));
      bounds[i] = (float) Math.min(reachable, corner(i));
    }
    enter(0);
  }

  private int way(int i) {
    return streets.way(route[i], route[i + 1]);
  }

  private void enter(int next) {
    leg = next;
    int way = way(next);
    length = streets.length(way);
    limit = Math.min(streets.kind(way).limit() * 1.1, pace);
  }

  /** The highest speed in a corner. */
  private double corner(int i) {
    double in = Math.atan2(dy(i - 1), dx(i - 1));
    double turn = Math.abs(Math.IEEEremainder(Math.atan2(dy(i), dx(i)) - in, 2 * Math.PI));
    if (turn < 0.35) {
      return Double.MAX_VALUE;
    }
    return turn < 0.9 ? 8.5 : turn < 2 ? 4.2 : 2;
  }

  private double dx(int i) {
    return streets.x(route[i + 1]) - streets.x(route[i]);
  }

  private double dy(int i) {
    return streets.y(route[i + 1]) - streets.y(route[i]);
  }

  /** Whether its end is reached. */
  boolean over() {
    return leg == route.length - 2 && length - along < 0.3;
  }

  int end() {
    return route[route.length - 1];
  }

  /** The speed in m/s. */
  double speed() {
    return over() ? 0 : speed;
  }

  double x() {
    return streets.x(route[leg]) + along / length * dx(leg);
  }

  double y() {
    return streets.y(route[leg]) + along / length * dy(leg);
  }

  /** The direction clockwise from north, in degrees from 0 to 360. */
  double bearing() {
    double degrees = Math.toDegrees(Math.atan2(dx(leg), dy(leg)));
    return degrees < 0 ? degrees + 360 : degrees;
  }

  /**
   * Continues the ride until a time, or until its end.
   *
   * @return the time reached, in milliseconds: before {@code to} only at the end of the ride
   */
  long ride(long fromMillis, long toMillis) {
    long now = fromMillis;
    while (now < toMillis && !over()) {
      long step = Math.min((long) (STEP_SECONDS * 1000), toMillis - now);
      step(step / 1000.0, now);
      now += step;
    }
    return now;
  }

  private void step(double seconds, long nowMillis) {
    double next = Math.min(limit, speed + vehicle.pull() * seconds);
    // The next street may have a lower limit; the brakes are as strong there.
    next = Math.max(Math.min(next, reachable(bounds[leg + 1], length - along, seconds)), 0);
    next = Math.min(next, lights(nowMillis, seconds));
    if (next < speed - BRAKE_MAX * seconds) {
      next = speed - BRAKE_MAX * seconds;
    }
    along += (speed + next) / 2 * seconds;
    speed = next;
    while (along >= length && leg < route.length - 2) {
      along -= length;
      enter(leg + 1);
    }
    along = Math.min(along, length);
  }

  /** The highest speed from which a lower one can be reached within a distance. */
  private double reachable(double then, double distance, double seconds) {
    double brake = vehicle.brake();
    double rest = Math.max(0, distance - speed * seconds);
    double bound = Math.sqrt(then * then + 2 * brake * rest);
    // Never zero before the end, or nobody would arrive.
    return Math.max(bound, 0.8);
  }

  private double lights(long nowMillis, double seconds) {
    double distance = length - along;
    double sight = speed * speed / (2 * vehicle.brake()) + 2 * STOP_BEFORE_LIGHTS;
    for (int i = leg; i < route.length - 2 && distance < sight; i++) {
      if (streets.hasLights(route[i + 1])
          && streets.isRed(route[i + 1], dx(i), dy(i), nowMillis)
          && distance > STOP_BEFORE_LIGHTS
          && distance > speed * speed / (2 * BRAKE_MAX)) {
        double rest = distance - STOP_BEFORE_LIGHTS - speed * seconds / 2;
        return rest < 0.5 ? 0 : Math.sqrt(2 * vehicle.brake() * rest);
      }
      distance += Math.hypot(dx(i + 1), dy(i + 1));
    }
    return Double.MAX_VALUE;
  }
}
