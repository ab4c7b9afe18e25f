package gilmok.runsheet.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A problem as the searches see it: its places numbered 0..n-1 for the pickups, n..2n-1 for the
 * drop-offs, 2n for the start, 2n+1 for the end, with the costs between them. Where a route ends is
 * open, the end costs nothing to reach. The pickup of an order on board is no place that is gone
 * to. It never changes.
 */
final class SearchProblem {
  final PlanProblem problem;

  /** n: how many orders. */
  final int orders;

  /** How many places there are: 2n+2. */
  final int width;

  final int start;
  final int end;
  final int capacity;

  /** From row to column. */
  final int[] to;

  /** The same, from column to row, to have what leads to one place side by side. */
  final int[] from;

  final boolean[] onBoard;

  /** How many orders are on board at the start. */
  final int load;

  /** How many stops a plan has. */
  final int stops;

  SearchProblem(PlanProblem problem) {
    this.problem = problem;
    orders = problem.orders().size();
    width = 2 * orders + 2;
    start = 2 * orders;
    end = start + 1;
    onBoard = new boolean[orders];
    int picked = 0;
    for (int i = 0; i < orders; i++) {
      onBoard[i] = problem.orders().get(i).pickedUp();
      picked += onBoard[i] ? 1 : 0;
    }
    load = picked;
    stops = 2 * orders - picked;
    capacity = Math.min(problem.capacity(), Math.max(1, orders));
    to = new int[width * width];
    from = new int[width * width];
    int[] node = new int[width];
    for (int place = 0; place < width; place++) {
      node[place] = isStop(place) || place == start ? node(place) : -1;
    }
    Integer last = problem.end();
    node[end] = last == null ? -1 : last;
    for (int a = 0; a < width; a++) {
      for (int b = 0; b < width; b++) {
        boolean isWay = node[a] >= 0 && node[b] >= 0;
        to[a * width + b] = isWay ? problem.cost(node[a], node[b]) : 0;
        from[b * width + a] = to[a * width + b];
      }
    }
  }

  private int node(int place) {
    if (place == start) {
      return problem.start();
    }
    PlanOrder order = problem.orders().get(orderOf(place));
    return isPickup(place) ? order.pickup() : order.dropoff();
  }

  /** Whether a plan goes there, which is neither start nor end. */
  boolean isStop(int place) {
    return place < start && (place >= orders || !onBoard[place]);
  }

  boolean isPickup(int place) {
    return place < orders;
  }

  int orderOf(int place) {
    return place < orders ? place : place - orders;
  }

  int cost(int a, int b) {
    return to[a * width + b];
  }

  /** Whether the load can ever reach the capacity and want more. */
  boolean isTight() {
    return capacity < orders;
  }

  /** The ways of a route, given with its start and end. */
  long travel(int[] route, int length) {
    long sum = 0;
    for (int i = 1; i < length; i++) {
      sum += to[route[i - 1] * width + route[i]];
    }
    return sum;
  }

  /** A route, given with its start and end, as visits. */
  List<PlanCheck.Visit> visits(int[] route, int length) {
    List<PlanCheck.Visit> visits = new ArrayList<>(length);
    for (int i = 1; i < length - 1; i++) {
      visits.add(
          new PlanCheck.Visit(
              orderOf(route[i]), isPickup(route[i]) ? Stop.Kind.PICKUP : Stop.Kind.DROPOFF));
    }
    return visits;
  }
}
