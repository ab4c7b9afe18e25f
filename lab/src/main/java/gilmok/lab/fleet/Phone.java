package gilmok.lab.fleet;

import gilmok.lab.fleet.Seoul.Disc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A rider's phone: it takes a fix every few seconds, keeps it until the server has it, and sends
 * the oldest first. Not thread-safe.
 */
final class Phone {
  /** The most fixes that it keeps: two hours; then the oldest are dropped. */
  static final int KEPT_MAX = 2_000;

  private static final double OPEN_SKY = 2.6;
  private static final double HIGH_RISE = 8;
  private static final double INSIDE = 11;
  private static final double HOURS_PER_CHARGE = 7;
  private static final double HOURS_TO_CHARGE = 1.2;
  private static final int ANSWERS_PER_LOSS = 700;

  private final int number;
  private final Rider rider;
  private final String riderId;
  private final RandomGenerator random;

  /** Random numbers of their own, so that the results of sending do not change the fixes. */
  private final RandomGenerator answers;

  private final GpsError error;
  private final Signal signal;
  private final ArrayDeque<Fix> kept = new ArrayDeque<>();
  private final long periodMillis;
  private final long clockOffMillis;
  private double battery;
  private boolean charging;
  private boolean reachable = true;
  private long now;
  private long dropped;

  Phone(int number, Rider rider, long seed, long startMillis) {
    this.number = number;
    this.rider = rider;
    this.riderId = riderId(number);
    SplittableRandom own = new SplittableRandom(seed);
    this.answers = own.split();
    this.random = own;
    this.error = new GpsError(random);
    this.signal = new Signal(random);
    periodMillis = 2_000 + random.nextLong(3_000);
    boolean wrong = random.nextInt(80) == 0;
    clockOffMillis = wrong ? random.nextLong(-8 * 60_000, 4 * 60_000) : 0;
    battery = 0.3 + 0.7 * random.nextDouble();
    now = startMillis;
  }

  /** The id of the rider with that number in the fleet, from 0. */
  static String riderId(int number) {
    return String.format(Locale.ROOT, "rider-%04d", number + 1);
  }

  /** Its number in the fleet, from 0. */
  int number() {
    return number;
  }

  Rider rider() {
    return rider;
  }

  String riderId() {
    return riderId;
  }

  /** The time of the next fix, in the fleet's milliseconds; the first is soon after the start. */
  long nextFix(boolean first) {
    return now + (first ? random.nextLong(periodMillis) : periodMillis - 60 + random.nextLong(120));
  }

  /**
   * Takes a fix.
   *
   * @param millis the fleet's time
   * @param stamp the same moment in real time
   */
  Fix take(long millis, long stamp) {
    double seconds = (millis - now) / 1000.0;
    now = millis;
    rider.moveTo(millis);
    signal.advance(seconds, millis, rider.isInside());
    reachable = signal.isThere(millis);
    drain(seconds / 3600);
    error.advance(seconds, surroundings());
    boolean moves = rider.speed() > 0.4;
    double x = rider.x() + error.x();
    double y = rider.y() + error.y();
    Fix fix =
        new Fix(
            stamp + clockOffMillis,
            FlatMap.lat(y),
            FlatMap.lon(x),
            error.accuracy(),
            moves ? Math.max(0.2, rider.speed() + 0.25 * random.nextGaussian()) : 0,
            moves ? turned(rider.bearing() + 4 * random.nextGaussian()) : Double.NaN,
            FlatMap.altitude(rider.x(), rider.y()) + error.z(),
            battery,
            rider.inHand(),
            !reachable);
    if (kept.size() == KEPT_MAX) {
      kept.remove();
      dropped++;
    }
    kept.add(fix);
    return fix;
  }

  private static double turned(double degrees) {
    return degrees - 360 * Math.floor(degrees / 360);
  }

  private void drain(double hours) {
    battery = Math.clamp(battery + hours / (charging ? HOURS_TO_CHARGE : -HOURS_PER_CHARGE), 0, 1);
    charging = charging ? battery < 0.9 : battery < 0.07;
  }

  private double surroundings() {
    if (rider.isInside()) {
      return INSIDE;
    }
    for (Disc quarter : Seoul.HIGH_RISE) {
      if (quarter.holds(rider.x(), rider.y())) {
        return HIGH_RISE;
      }
    }
    return OPEN_SKY;
  }

  /** Whether it has a network now. */
  boolean isReachable() {
    return reachable;
  }

  /** How many fixes it keeps. */
  int keptCount() {
    return kept.size();
  }

  /** How many fixes were dropped because there were too many. */
  long dropped() {
    return dropped;
  }

  /** The oldest fixes, up to a number. */
  List<Fix> oldest(int countMax) {
    List<Fix> fixes = new ArrayList<>(Math.min(countMax, kept.size()));
    for (Fix fix : kept) {
      if (fixes.size() == countMax) {
        break;
      }
      fixes.add(fix);
    }
    return fixes;
  }

  /** Whether the response to this request is to be lost on its way. */
  boolean losesAnswer() {
    return answers.nextInt(ANSWERS_PER_LOSS) == 0;
  }

  /** Removes fixes that the server has. */
  void settled(List<Fix> fixes) {
    for (Fix fix : fixes) {
      // A fix in flight may have been dropped meanwhile.
      if (fix.equals(kept.peek())) {
        kept.remove();
      }
    }
  }
}
