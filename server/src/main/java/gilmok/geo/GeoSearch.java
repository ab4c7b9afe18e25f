package gilmok.geo;

import gilmok.geo.Cell.InnerNode;
import gilmok.geo.Cell.LeafNode;
import java.util.function.Predicate;

/** One walk over the cells, the nearest first: how, and why so, is told in {@link GeoIndex}. */
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
   * A search that is yet to run.
   *
   * @param box what is wanted
   * @param lat of where it is measured from
   * @param lon of where it is measured from
   * @param found begun by the caller
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

  /** Adds the accepted spots that are nearest. */
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
    // Where all stand on one point, this ends it.
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

  /** Looks at those that changed cells meanwhile. */
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

  /** At most the distance of any point in the cell: of its nearest latitude, longitude, cosine. */
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
