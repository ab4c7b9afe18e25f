package gilmok.live;

import gilmok.geo.Spot;

/**
 * A box on the map, in degrees times 1e7, its edges included. One whose western edge is greater
 * than its eastern one crosses the antimeridian.
 */
record Box(int latMin, int lonMin, int latMax, int lonMax) {
  /** Whether a packed point is in it. */
  boolean contains(long point) {
    int lat = Spot.latE7(point);
    int lon = Spot.lonE7(point);
    if (lat < latMin || lat > latMax) {
      return false;
    }
    return lonMin <= lonMax ? lon >= lonMin && lon <= lonMax : lon >= lonMin || lon <= lonMax;
  }
}
