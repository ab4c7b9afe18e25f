package gilmok.runsheet.plan;

/**
 * The times at which a problem's places are ready and due, and the duration of a stop. Immutable.
 */
final class PlaceTimes {
  final long[] readyAt;
  final long[] dueBy;
  final long service;

  PlaceTimes(SearchProblem search) {
    readyAt = new long[search.width];
    dueBy = new long[search.width];
    service = search.problem.serviceTime();
    for (int place = 0; place < search.width; place++) {
      boolean isStop = search.isStop(place);
      boolean isPickup = isStop && search.isPickup(place);
      readyAt[place] =
          isPickup ? search.problem.orders().get(place).readyAt() : -ProblemDraft.TIME_MAX;
      dueBy[place] =
          isStop && !isPickup
              ? search.problem.orders().get(search.orderOf(place)).dueBy()
              : PlanOrder.NEVER_DUE;
    }
  }

  /** The lateness of an arrival at a place. */
  long late(int place, long arriveAt) {
    return dueBy[place] == PlanOrder.NEVER_DUE ? 0 : Math.max(0, arriveAt - dueBy[place]);
  }

  /** The time at which a place is left after an arrival: after waiting and service. */
  long leave(int place, long arriveAt) {
    return Math.max(arriveAt, readyAt[place]) + service;
  }
}
