package gilmok.geo;

import gilmok.geo.Cell.InnerNode;
import gilmok.geo.Cell.LeafNode;
import java.util.function.Predicate;

/** One search over the cells, nearest first. The algorithm is explained in {@link GeoIndex}. */
final class GeoSearch<T extends IndexedPoint> {
  private final Box box;
  private final int lat;
  private final int lon;
  private final double cosine;
  private final MoveLog moves;
  private final long movesDone;
  private final Predicate<? super T> accept;
  private final SearchResult<T> found;
  private int cellsSeen;

  /**
   * A search, not yet run.
   *
   * @param box limits the search to the spots in it
   * @param lat the latitude from which distances are measured
   * @param lon the longitude from which distances are measured
   * @param found receives the spots; {@link SearchResult#begin} has been called
   */
  GeoSearch(
      Box box,
      int lat,
      int lon,
      MoveLog moves,
      Predicate<? super T> accept,
      SearchResult<T> found) {
    this.box = box;
    this.lat = lat;
    this.lon = lon;
    cosine = Distance.cosine(lat);
    this.moves = moves;
    movesDone = moves.done();
    this.accept = accept;
    this.found = found;
  }

  /** Adds the nearest accepted spots to the result. */
  void run(InnerNode root) {
    SearchQueue queue = found.queue;
    queue.add(root, 0);
    while (!queue.isEmpty() && queue.nearest() < found.reach()) {
      double nearest = queue.nearest();
      cellsSeen++;
      switch (queue.take()) {
        case InnerNode innerNode -> expand(innerNode);
        case LeafNode leaf -> visit(leaf, nearest);
      }
    }
    queue.clear();
    found.end(catchUp(), cellsSeen);
  }

  private void expand(InnerNode innerNode) {
    for (int i = 0; i < InnerNode.QUARTERS; i++) {
      Cell cell = innerNode.quarter(i);
      if (cell != null && box.meets(cell)) {
        double nearest = nearest(cell);
        if (nearest < found.reach()) {
          found.queue.add(cell, nearest);
        }
      }
    }
  }

  private void visit(LeafNode leaf, double nearest) {
    double cosines = cosine * leaf.cosineMin();
    int slot = leaf.size();
    // The second condition ends the loop early when all spots share one point.
    while (--slot >= 0 && nearest < found.reach()) {
      long point = leaf.point(slot);
      double atLeast =
          Distance.haversine((long) lat - IndexedPoint.latE7(point))
              + cosines * Distance.haversine(Distance.turn((long) lon - IndexedPoint.lonE7(point)));
      if (atLeast < found.reach()) {
        IndexedPoint indexedPoint = leaf.spot(slot);
        if (indexedPoint != null) {
          consider(indexedPoint);
        }
      }
    }
  }

  /**
   * Considers the spots that changed cells during the search; returns whether all of them were
   * known.
   */
  private boolean catchUp() {
    long end = moves.begun();
    for (long number = Math.max(movesDone, end - MoveLog.KEPT); number < end; number++) {
      IndexedPoint indexedPoint = moves.get(number);
      if (indexedPoint != null) {
        consider(indexedPoint);
      }
    }
    return moves.keeps(movesDone);
  }

  private void consider(IndexedPoint candidate) {
    long point = candidate.point();
    int spotLat = IndexedPoint.latE7(point);
    int spotLon = IndexedPoint.lonE7(point);
    double haversine =
        Distance.haversine((long) lat - spotLat)
            + cosine
                * Distance.cosine(spotLat)
                * Distance.haversine(Distance.turn((long) lon - spotLon));
    if (haversine < found.reach() && box.has(spotLat, spotLon)) {
      @SuppressWarnings("unchecked") // what moves in is a T
      T spot = (T) candidate;
      if (!(moves.mayHave(spot, movesDone) && found.has(spot)) && accept.test(spot)) {
        found.add(spot, haversine);
      }
    }
  }

  /**
   * A lower bound of the haversine to any point in the cell, from its nearest latitude, its nearest
   * longitude and its least cosine.
   */
  private double nearest(Cell cell) {
    long up = Math.max(0, Math.max((long) cell.south - lat, (long) lat - cell.north));
    double least = Distance.haversine(up);
    if (lon < cell.west || lon > cell.east) {
      long turn =
          Math.min(Distance.turn((long) cell.west - lon), Distance.turn((long) lon - cell.east));
      least += cosine * cell.cosineMin() * Distance.haversine(turn);
    }
    return least;
  }
}
