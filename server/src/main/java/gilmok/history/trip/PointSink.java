package gilmok.history.trip;

/** Takes the points of one rider, in the order of time, and then their end. */
public interface PointSink {
  /**
   * Takes a point.
   *
   * @param atMillis when it was, since 1970; never before the point that came last
   * @param latE7 its latitude in 1e-7 degrees
   * @param lonE7 its longitude in 1e-7 degrees, from -180 to 180 degrees
   * @param accuracy the radius in metres in which the phone says it is; NaN if it said nothing
   */
  void point(long atMillis, int latE7, int lonE7, double accuracy);

  /** No more points come. The next one begins anew, as another rider's. */
  void end();
}
