package gilmok.geo;

import gilmok.geo.Cell.InnerNode;
import gilmok.geo.Cell.LeafNode;
import java.util.function.IntPredicate;

/** One search over the cells, nearest first. The algorithm is explained in {@link GeoIndex}. */
final class GeoSearch {
  private final Box box;
  private final int lat;
  private final int lon;
  private final double cosine;
  private final Spots spots;
  private final MoveLog moves;
  private final long movesDone;
  private final IntPredicate accept;
  private final SearchResult found;
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
      Spots spots,
      MoveLog moves,
      IntPredicate accept,
      SearchResult found) {
    this.box = box;
    this.lat = lat;
    this.lon = lon;
    cosine = Distance.cosine(lat);
    this.spots = spots;
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
    int blur = leaf.blur();
    long[] slots = leaf.slots();
    int slot = Math.min(leaf.size(), slots.length);
    // The second condition ends the loop early when all spots share one point.
    while (--slot >= 0 && nearest < found.reach()) {
      long content = LeafNode.content(slots, slot);
      int south = leaf.lat(content);
      int west = leaf.lon(content);
      int east = Math.min(west + blur, leaf.east);
      double atLeast =
          Distance.haversine(up(south, south + blur))
              + cosines * Distance.haversine(turn(Math.max(west, leaf.west), east));
      if (atLeast < found.reach()) {
        consider(LeafNode.spot(content));
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
      consider(moves.get(number));
    }
    return moves.keeps(movesDone);
  }

  private void consider(int spot) {
    long point = spots.point(spot);
    int spotLat = PointE7.latE7(point);
    int spotLon = PointE7.lonE7(point);
    double haversine =
        Distance.haversine((long) lat - spotLat)
            + cosine
                * Distance.cosine(spotLat)
                * Distance.haversine(Distance.turn((long) lon - spotLon));
    if (haversine < found.reach()
        && box.has(spotLat, spotLon)
        && !(moves.mayHave(spot, movesDone) && found.has(spot))
        && accept.test(spot)) {
      found.add(spot, haversine);
    }
  }

  /**
   * A lower bound of the haversine to any point in the cell, from its nearest latitude, its nearest
   * longitude and its least cosine.
   */
  private double nearest(Cell cell) {
    double least = Distance.haversine(up(cell.south, cell.north));
    long turn = turn(cell.west, cell.east);
    return turn == 0 ? least : least + cosine * cell.cosineMin() * Distance.haversine(turn);
  }

  /** From here to the nearest of these latitudes. */
  private long up(int south, int north) {
    return Math.max(0, Math.max((long) south - lat, (long) lat - north));
  }

  /** From here to the nearest of these longitudes, the short way round. */
  private long turn(int west, int east) {
    return lon >= west && lon <= east
        ? 0
        : Math.min(Distance.turn((long) west - lon), Distance.turn((long) lon - east));
  }
}
