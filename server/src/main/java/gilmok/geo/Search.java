package gilmok.geo;

import java.util.function.Predicate;

/** One walk over the cells, the nearest first: how, and why so, is told in {@link GeoIndex}. */
final class Search<T extends Spot> {
  private final Box box;
  private final int lat;
  private final int lon;
  private final double cosine;
  private final Moves moves;
  private final long movesDone;
  private final Predicate<? super T> accept;
  private final Found<T> found;
  private int cellsSeen;
  private int spotsSeen;

  /**
   * A search that is yet to run.
   *
   * @param box what is wanted
   * @param lat of where it is measured from
   * @param lon of where it is measured from
   * @param found begun by the caller
   */
  Search(Box box, int lat, int lon, Moves moves, Predicate<? super T> accept, Found<T> found) {
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
  void run(Fork root) {
    Frontier frontier = found.frontier;
    frontier.add(root, 0);
    while (!frontier.isEmpty() && frontier.nearest() < found.reach()) {
      double nearest = frontier.nearest();
      cellsSeen++;
      switch (frontier.take()) {
        case Fork fork -> expand(fork);
        case Leaf leaf -> visit(leaf, nearest);
      }
    }
    frontier.clear();
    boolean complete = catchUp();
    found.end(complete, cellsSeen, spotsSeen);
  }

  private void expand(Fork fork) {
    for (int i = 0; i < Fork.QUARTERS; i++) {
      Cell cell = fork.quarter(i);
      if (cell != null && box.meets(cell)) {
        double nearest = nearest(cell);
        if (nearest < found.reach()) {
          found.frontier.add(cell, nearest);
        }
      }
    }
  }

  private void visit(Leaf leaf, double nearest) {
    double cosines = cosine * leaf.cosineMin();
    int slot = leaf.size();
    // Where all stand on one point, this ends it.
    while (--slot >= 0 && nearest < found.reach()) {
      spotsSeen++;
      long point = leaf.point(slot);
      double atLeast =
          Distance.haversine((long) lat - Spot.latE7(point))
              + cosines * Distance.haversine(Distance.turn((long) lon - Spot.lonE7(point)));
      if (atLeast < found.reach()) {
        Spot spot = leaf.spot(slot);
        if (spot != null) {
          consider(spot);
        }
      }
    }
  }

  /** Looks at those that changed cells meanwhile. */
  private boolean catchUp() {
    long end = moves.begun();
    for (long number = Math.max(movesDone, end - Moves.KEPT); number < end; number++) {
      Spot spot = moves.get(number);
      if (spot != null) {
        spotsSeen++;
        consider(spot);
      }
    }
    return moves.keeps(movesDone);
  }

  private void consider(Spot candidate) {
    long point = candidate.point();
    int spotLat = Spot.latE7(point);
    int spotLon = Spot.lonE7(point);
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
