package gilmok.runsheet.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A problem in the form that the searches use. Its places are numbered 0..n-1 for the pickups,
 * n..2n-1 for the drop-offs, 2n for the start and 2n+1 for the end, with the costs between them. If
 * the route has no given end, reaching the end costs nothing. The pickup of an order on board is
 * never visited. Immutable.
 */
final class SearchProblem {
  final PlanProblem problem;

  /** The number of orders, n. */
  final int orders;

  /** The number of places, 2n+2. */
  final int width;

  final int start;
  final int end;
  final int capacity;

  /** The costs from row to column. */
  final int[] to;

  /** The same costs from column to row, so that all costs to one place lie side by side. */
  final int[] from;

  final boolean[] onBoard;

  /** The number of orders on board at the start. */
  final int load;

  /** The number of stops of a plan. */
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

  /** Whether a plan stops at a place; false for the start and the end. */
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

  /** Whether the load can reach the capacity while orders are still open. */
  boolean isTight() {
    return capacity < orders;
  }

  /** The travel of a route, which is given with its start and end. */
  long travel(int[] route, int length) {
    long sum = 0;
    for (int i = 1; i < length; i++) {
      sum += to[route[i - 1] * width + route[i]];
    }
    return sum;
  }

  /** The visits of a route, which is given with its start and end. */
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
