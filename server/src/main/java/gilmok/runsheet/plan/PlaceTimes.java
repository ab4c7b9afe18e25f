package gilmok.runsheet.plan;

/** When the places of a problem are ready and due, and how long a stop takes. Never changes. */
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

  /** How late an arrival is. */
  long late(int place, long arriveAt) {
    return dueBy[place] == PlanOrder.NEVER_DUE ? 0 : Math.max(0, arriveAt - dueBy[place]);
  }

  /** When a place is left that is reached at a time. */
  long leave(int place, long arriveAt) {
    return Math.max(arriveAt, readyAt[place]) + service;
  }
}
