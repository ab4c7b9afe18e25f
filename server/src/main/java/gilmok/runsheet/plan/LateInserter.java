package gilmok.runsheet.plan;

/**
 * Inserts an order at the two places that make the tour least late and, among those, cheapest. For
 * each place of the pickup it tries the cheapest drop-off, and for each place of the drop-off the
 * cheapest pickup. It simulates the tour for each pair until the pair can no longer be the best.
 */
final class LateInserter implements Inserter {
  private static final long FAR = Long.MAX_VALUE / 4;

  private final SearchProblem search;
  private final PlaceTimes times;
  private final long[] leaveAt;
  private final long[] lateUntil;
  private final int[] loads;
  private final boolean[] hasRoom;
  private final int[] pickupFor;
  private final int[] dropoffFor;
  private long bestLateness;
  private long bestTravel;
  private int bestPickupAt;
  private int bestDropoffAt;

  LateInserter(SearchProblem search) {
    this.search = search;
    times = new PlaceTimes(search);
    leaveAt = new long[search.width];
    lateUntil = new long[search.width];
    loads = new int[search.width];
    hasRoom = new boolean[search.width];
    pickupFor = new int[search.width];
    dropoffFor = new int[search.width];
  }

  @Override
  public void measure(Tour tour) {
    drive(tour);
    tour.measure();
    tour.lateness = lateUntil[tour.length - 1];
  }

  @Override
  public void insert(Tour tour, int order) {
    drive(tour);
    int dropoff = order + search.orders;
    bestLateness = Long.MAX_VALUE;
    bestTravel = Long.MAX_VALUE;
    if (search.onBoard[order]) {
      for (int i = 0; i + 1 < tour.length && loads[i] <= search.capacity; i++) {
        look(tour, -1, i, -1, dropoff, more(tour, i, dropoff));
      }
      tour.insert(bestDropoffAt, dropoff);
    } else {
      lookAtPairs(tour, order, dropoff);
      tour.insert(bestDropoffAt, dropoff);
      tour.insert(bestPickupAt, order);
    }
    tour.lateness = bestLateness;
    tour.travel += bestTravel;
  }

  private void drive(Tour tour) {
    long leave = 0;
    int load = search.load;
    leaveAt[0] = 0;
    lateUntil[0] = 0;
    loads[0] = load;
    hasRoom[0] = load < search.capacity;
    for (int i = 1; i < tour.length; i++) {
      int place = tour.places[i];
      long arrive = leave + search.cost(tour.places[i - 1], place);
      leave = times.leave(place, arrive);
      leaveAt[i] = leave;
      lateUntil[i] = lateUntil[i - 1] + times.late(place, arrive);
      load += place == search.end ? 0 : search.isPickup(place) ? 1 : -1;
      loads[i] = load;
      hasRoom[i] = load < search.capacity;
    }
  }

  private long more(Tour tour, int index, int place) {
    int a = tour.places[index];
    int b = tour.places[index + 1];
    return (long) search.cost(a, place) + search.cost(place, b) - search.cost(a, b);
  }

  private void lookAtPairs(Tour tour, int pickup, int dropoff) {
    int slots = tour.length - 1;
    cheapest(tour, pickup, dropoff);
    for (int i = 0; i < slots; i++) {
      if (!hasRoom[i]) {
        continue;
      }
      int a = tour.places[i];
      int b = tour.places[i + 1];
      long together =
          (long) search.cost(a, pickup)
              + search.cost(pickup, dropoff)
              + search.cost(dropoff, b)
              - search.cost(a, b);
      look(tour, i, i, pickup, dropoff, together);
      int j = dropoffFor[i];
      if (j > i) {
        look(tour, i, j, pickup, dropoff, more(tour, i, pickup) + more(tour, j, dropoff));
      }
      int p = pickupFor[i];
      if (p >= 0 && p < i && dropoffFor[p] != i) {
        look(tour, p, i, pickup, dropoff, more(tour, p, pickup) + more(tour, i, dropoff));
      }
    }
  }

  /**
   * Finds, for each place of one of the two stops, the cheapest place of the other that the load
   * allows.
   */
  private void cheapest(Tour tour, int pickup, int dropoff) {
    int slots = tour.length - 1;
    long least = FAR;
    int at = -1;
    for (int i = 0; i < slots; i++) {
      pickupFor[i] = hasRoom[i] ? at : -1;
      if (!hasRoom[i]) {
        least = FAR;
        at = -1;
      } else if (more(tour, i, pickup) < least) {
        least = more(tour, i, pickup);
        at = i;
      }
    }
    least = FAR;
    at = -1;
    for (int i = slots - 1; i >= 0; i--) {
      dropoffFor[i] = hasRoom[i] ? at : -1;
      if (!hasRoom[i]) {
        least = FAR;
        at = -1;
      } else if (more(tour, i, dropoff) < least) {
        least = more(tour, i, dropoff);
        at = i;
      }
    }
  }

  /**
   * Simulates the tour with the order inserted, until it can no longer be the best; records the
   * places if it is the best.
   */
  private void look(Tour tour, int pickupAt, int dropoffAt, int pickup, int dropoff, long travel) {
    int first = pickupAt >= 0 ? pickupAt : dropoffAt;
    int at = tour.places[first];
    long leave = leaveAt[first];
    long late = lateUntil[first];
    for (int i = first; i + 1 < tour.length; i++) {
      if (i == pickupAt) {
        leave = times.leave(pickup, leave + search.cost(at, pickup));
        at = pickup;
      }
      if (i == dropoffAt) {
        long arrive = leave + search.cost(at, dropoff);
        late += times.late(dropoff, arrive);
        leave = times.leave(dropoff, arrive);
        at = dropoff;
      }
      int next = tour.places[i + 1];
      long arrive = leave + search.cost(at, next);
      late += times.late(next, arrive);
      leave = times.leave(next, arrive);
      at = next;
      if (late > bestLateness) {
        return;
      }
      if (i >= dropoffAt && leave == leaveAt[i + 1]) {
        late += lateUntil[tour.length - 1] - lateUntil[i + 1];
        break;
      }
    }
    if (late < bestLateness || (late == bestLateness && travel < bestTravel)) {
      bestLateness = late;
      bestTravel = travel;
      bestPickupAt = pickupAt;
      bestDropoffAt = dropoffAt;
    }
  }
}
