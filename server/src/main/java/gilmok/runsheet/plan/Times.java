package gilmok.runsheet.plan;

/** When the places of a problem are ready and due, and how long a stop takes. Never changes. */
final class Times {
  final long[] readyAt;
  final long[] dueBy;
  final long service;

  Times(Ways ways) {
    readyAt = new long[ways.width];
    dueBy = new long[ways.width];
    service = ways.problem.serviceTime();
    for (int place = 0; place < ways.width; place++) {
      boolean isStop = ways.isStop(place);
      boolean isPickup = isStop && ways.isPickup(place);
      readyAt[place] = isPickup ? ways.problem.orders().get(place).readyAt() : -Problem.TIME_MAX;
      dueBy[place] =
          isStop && !isPickup
              ? ways.problem.orders().get(ways.orderOf(place)).dueBy()
              : Order.NEVER_DUE;
    }
  }

  /** How late an arrival is. */
  long late(int place, long arriveAt) {
    return dueBy[place] == Order.NEVER_DUE ? 0 : Math.max(0, arriveAt - dueBy[place]);
  }

  /** When a place is left that is reached at a time. */
  long leave(int place, long arriveAt) {
    return Math.max(arriveAt, readyAt[place]) + service;
  }
}
