package gilmok.history.trip;

import gilmok.geo.PointE7;

/**
 * A way of a rider: from a stay, or the first point after a silence, to the next stay, or the last
 * point before a silence. With a stay at its end it shares that stay's border point.
 *
 * @param fromMillis when it began, since 1970
 * @param toMillis when it ended
 * @param millimetres how long the line through its points is, without jumps
 * @param movingMillis the part of its time in which the rider moved
 * @param idleMillis the rest of its time
 * @param points how many points it has, with the first and the last
 * @param first where it began, as in {@link PointE7}
 * @param last where it ended
 */
public record Trip(
    long fromMillis,
    long toMillis,
    long millimetres,
    long movingMillis,
    long idleMillis,
    long points,
    long first,
    long last) {
  /** How long the line through its points is. */
  public double metres() {
    return millimetres / 1_000.0;
  }
}
