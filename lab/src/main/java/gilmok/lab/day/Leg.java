package gilmok.lab.day;

/**
 * A courier's way from one place to another.
 *
 * @param fromMinute of the day
 * @param toMinute of the day, not before it
 */
record Leg(double fromMinute, double toMinute, Spot from, Spot to) {
  Spot at(double minute) {
    double share = toMinute <= fromMinute ? 1 : (minute - fromMinute) / (toMinute - fromMinute);
    return from.towards(to, Math.clamp(share, 0, 1));
  }
}
