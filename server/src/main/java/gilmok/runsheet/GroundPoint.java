package gilmok.runsheet;

import gilmok.geo.Distance;
import java.util.List;

/**
 * A point on the Earth. Immutable.
 *
 * @param lat degrees, -90 to 90
 * @param lon degrees, -180 to 180
 */
public record GroundPoint(double lat, double lon) {
  /** The lowest and the highest allowed speed, metres a second. */
  static final double SPEED_MIN = 0.1;

  static final double SPEED_MAX = 1000;

  /**
   * The travel times between all points along great circles, in whole seconds; a row for each
   * starting point.
   */
  static long[][] seconds(List<GroundPoint> points, double metresASecond) {
    long[][] seconds = new long[points.size()][points.size()];
    for (int from = 0; from < seconds.length; from++) {
      for (int to = 0; to < from; to++) {
        GroundPoint one = points.get(from);
        GroundPoint other = points.get(to);
        double metres = Distance.metres(one.lat, one.lon, other.lat, other.lon);
        seconds[from][to] = Math.round(metres / metresASecond);
        seconds[to][from] = seconds[from][to];
      }
    }
    return seconds;
  }
}
