package gilmok.positions;

import gilmok.geo.IndexedPoint;

/**
 * A box on the map, in degrees times 1e7, its edges included. One whose western edge is greater
 * than its eastern one crosses the antimeridian.
 */
record MapBox(int latMin, int lonMin, int latMax, int lonMax) {
  /** Whether a packed point is in it. */
  boolean contains(long point) {
    int lat = IndexedPoint.latE7(point);
    int lon = IndexedPoint.lonE7(point);
    if (lat < latMin || lat > latMax) {
      return false;
    }
    return lonMin <= lonMax ? lon >= lonMin && lon <= lonMax : lon >= lonMin || lon <= lonMax;
  }
}
