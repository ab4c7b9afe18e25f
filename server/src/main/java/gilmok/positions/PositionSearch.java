package gilmok.positions;

import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.geo.Box;
import gilmok.geo.GeoIndex;
import gilmok.geo.SearchResult;

/**
 * A search for riders near a point or in a box, with its result. One object serves many searches.
 *
 * <p>Not thread-safe: each searching thread has its own.
 */
final class PositionSearch {
  static final int LIMIT_MAX = 10_000;

  private final GeoIndex<LatestPosition> index;
  private final EventView view = new EventView();
  private final SearchResult<LatestPosition> found = new SearchResult<>(LIMIT_MAX);
  private long atMin;

  PositionSearch(GeoIndex<LatestPosition> index) {
    this.index = index;
  }

  /** Finds the riders nearest to a point whose fix is not older than {@code atMin}, in epoch ms. */
  void near(int latE7, int lonE7, double radiusMetres, int limit, long atMin) {
    this.atMin = atMin;
    index.nearest(latE7, lonE7, radiusMetres, limit, this::isWanted, found);
  }

  /**
   * Finds the riders in a box whose fix is not older than {@code atMin}, in epoch ms; those nearest
   * to its centre come first.
   */
  void within(Box box, int limit, long atMin) {
    this.atMin = atMin;
    index.within(box, limit, this::isWanted, found);
  }

  private boolean isWanted(LatestPosition latest) {
    return latest.at() >= atMin;
  }

  /** Writes the result as JSON and releases it. */
  void writeJson(JsonBuffer out) {
    out.ascii("{\"items\":[");
    for (int i = 0; i < found.size(); i++) {
      LatestPosition latest = found.spot(i);
      out.ascii(i == 0 ? "{\"riderId\":" : ",{\"riderId\":");
      latest.rider().writeJson(out);
      out.ascii(",\"distance\":").number(Math.round(10 * found.metres(i)) / 10.0);
      out.ascii(",\"position\":");
      latest.writeJson(view, out);
      out.put('}');
    }
    out.ascii("]}");
    found.clear();
  }
}
