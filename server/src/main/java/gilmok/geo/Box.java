package gilmok.geo;

/**
 * A box of latitudes and longitudes in 1e-7 degrees, edges included. If west is greater than east,
 * the box crosses the antimeridian. Immutable.
 */
public record Box(int south, int west, int north, int east) {
  static final Box EARTH =
      new Box(-Distance.LAT_E7_MAX, -Distance.LON_E7_MAX, Distance.LAT_E7_MAX, Distance.LON_E7_MAX);

  int middleLat() {
    return (int) (((long) south + north) / 2);
  }

  int middleLon() {
    long middle = ((long) west + east) / 2;
    if (west <= east) {
      return (int) middle;
    }
    return (int) (middle > 0 ? middle - Distance.LON_E7_MAX : middle + Distance.LON_E7_MAX);
  }

  /** Whether an {@link GeoIndex#point} lies in it. */
  public boolean has(long point) {
    return has(PointE7.latE7(point), PointE7.lonE7(point));
  }

  boolean has(int lat, int lon) {
    return lat >= south && lat <= north && meets(lon, lon);
  }

  boolean meets(Cell cell) {
    return cell.south <= north && cell.north >= south && meets(cell.west, cell.east);
  }

  private boolean meets(int from, int to) {
    boolean right = to >= west;
    boolean left = from <= east;
    return west <= east ? right && left : right || left;
  }
}
