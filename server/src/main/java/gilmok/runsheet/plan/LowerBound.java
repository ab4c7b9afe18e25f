package gilmok.runsheet.plan;

/**
 * A proven lower bound: no plan can be below it.
 *
 * @param lateness of all drop-offs together
 * @param travel of the plans with that lateness
 */
record LowerBound(long lateness, long travel) {
  static final LowerBound NONE = new LowerBound(0, 0);

  boolean isReached(Tour tour) {
    return tour.lateness <= lateness && tour.travel <= travel;
  }
}
