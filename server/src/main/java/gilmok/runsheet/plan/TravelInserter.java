package gilmok.runsheet.plan;

/**
 * Inserts an order at the two places that cost least, in one pass along the tour: at each stop it
 * knows the cheapest earlier place for the pickup that the load allows. Some places are skipped at
 * random, which keeps the search from running in circles.
 */
final class TravelInserter implements Inserter {
  private static final int OVERLOOKED_EVERY = 100;
  private static final int FAR = Integer.MAX_VALUE / 2;

  private final SearchProblem search;
  private final Dice dice;
  private int pickupAt;
  private int dropoffAt;
  private int untilOverlooked = OVERLOOKED_EVERY;

  TravelInserter(SearchProblem search, Dice dice) {
    this.search = search;
    this.dice = dice;
  }

  @Override
  public void measure(Tour tour) {
    tour.measure();
  }

  @Override
  public void insert(Tour tour, int order) {
    int dropoff = order + search.orders;
    if (search.onBoard[order]) {
      tour.travel += findDropoff(tour, dropoff);
      tour.insert(dropoffAt, dropoff);
      return;
    }
    tour.travel += findPair(tour, order, dropoff);
    tour.insert(dropoffAt, dropoff);
    tour.insert(pickupAt, order);
  }

  private int findDropoff(Tour tour, int dropoff) {
    int best = Integer.MAX_VALUE;
    int load = search.load;
    for (int i = 0; i + 1 < tour.length; i++) {
      load += i == 0 ? 0 : search.isPickup(tour.places[i]) ? 1 : -1;
      if (load > search.capacity) {
        break;
      }
      int a = tour.places[i];
      int b = tour.places[i + 1];
      int more = search.cost(a, dropoff) + search.cost(dropoff, b) - search.cost(a, b);
      if (more < best) {
        best = more;
        dropoffAt = i;
      }
    }
    return best;
  }

  private int findPair(Tour tour, int pickup, int dropoff) {
    int[] to = search.to;
    int[] from = search.from;
    int width = search.width;
    int pickupRow = pickup * width;
    int dropoffRow = dropoff * width;
    int between = to[pickupRow + dropoff];
    boolean isTight = search.isTight();
    int load = search.load;
    int best = Integer.MAX_VALUE;
    int bestPickup = FAR;
    int bestPickupAt = 0;
    int[] places = tour.places;
    int[] legs = tour.legs;
    int a = places[0];
    for (int i = 0; i + 1 < tour.length; i++) {
      int b = places[i + 1];
      if (isTight) {
        load += i == 0 ? 0 : search.isPickup(a) ? 1 : -1;
        if (load >= search.capacity) {
          bestPickup = FAR;
          a = b;
          continue;
        }
      }
      if (--untilOverlooked == 0) {
        untilOverlooked = 1 + dice.below(2 * OVERLOOKED_EVERY);
        if (best != Integer.MAX_VALUE) {
          a = b;
          continue;
        }
      }
      int way = legs[i];
      int toPickup = from[pickupRow + a];
      int fromDropoff = to[dropoffRow + b];
      int together = toPickup + between + fromDropoff - way;
      if (together < best) {
        best = together;
        pickupAt = i;
        dropoffAt = i;
      }
      if (bestPickup < FAR) {
        int apart = bestPickup + (from[dropoffRow + a] + fromDropoff - way);
        if (apart < best) {
          best = apart;
          pickupAt = bestPickupAt;
          dropoffAt = i;
        }
      }
      int more = toPickup + to[pickupRow + b] - way;
      if (more < bestPickup) {
        bestPickup = more;
        bestPickupAt = i;
      }
      a = b;
    }
    return best;
  }
}
