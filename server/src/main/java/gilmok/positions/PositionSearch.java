package gilmok.positions;

import gilmok.event.JsonBuffer;
import gilmok.geo.Box;
import gilmok.geo.SearchResult;

/**
 * A search for riders near a point or in a box, with its result. One object serves many searches.
 *
 * <p>Not thread-safe: each searching thread has its own.
 */
final class PositionSearch {
  static final int LIMIT_MAX = 10_000;

  private final LatestPositions positions;
  private final HiddenRiders hidden;
  private final PositionCopy copy = new PositionCopy();
  private final SearchResult found = new SearchResult(LIMIT_MAX);
  private Runnable search = () -> {};
  private long forgets;
  private long atMin;

  PositionSearch(LatestPositions positions, HiddenRiders hidden) {
    this.positions = positions;
    this.hidden = hidden;
  }

  /** Finds the riders nearest to a point whose fix is not older than {@code atMin}, in epoch ms. */
  void near(int latE7, int lonE7, double radiusMetres, int limit, long atMin) {
    run(
        atMin,
        () -> positions.index().nearest(latE7, lonE7, radiusMetres, limit, this::isWanted, found));
  }

  /**
   * Finds the riders in a box whose fix is not older than {@code atMin}, in epoch ms; those nearest
   * to its centre come first.
   */
  void within(Box box, int limit, long atMin) {
    run(atMin, () -> positions.index().within(box, limit, this::isWanted, found));
  }

  private void run(long atMin, Runnable search) {
    this.atMin = atMin;
    this.search = search;
    forgets = positions.forgets();
    search.run();
  }

  private boolean isWanted(int rider) {
    boolean isAnyHidden = hidden.isAny();
    return (atMin == Long.MIN_VALUE && !isAnyHidden)
        || (positions.copy(rider, copy)
            && copy.at() >= atMin
            && !(isAnyHidden && copy.isHidden(hidden)));
  }

  /**
   * Puts the result as JSON into an empty buffer. If riders were forgotten since the search, it is
   * made again: a number in it may be another rider's by now.
   */
  void writeJson(JsonBuffer out) {
    write(out);
    while (positions.forgets() != forgets) {
      run(atMin, search);
      out.clear();
      write(out);
    }
  }

  private void write(JsonBuffer out) {
    out.ascii("{\"items\":[");
    boolean isFirst = true;
    for (int i = 0; i < found.size(); i++) {
      if (positions.copy(found.spot(i), copy)) {
        out.ascii(isFirst ? "{\"riderId\":" : ",{\"riderId\":");
        copy.writeRider(out);
        out.ascii(",\"distance\":").number(Math.round(10 * found.metres(i)) / 10.0);
        out.ascii(",\"position\":");
        copy.writeJson(out);
        out.put('}');
        isFirst = false;
      }
    }
    out.ascii("]}");
  }
}
