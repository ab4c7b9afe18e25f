package gilmok.runsheet.plan;

/**
 * What is proven that no plan can be below.
 *
 * @param lateness in lateness, all drop-offs together
 * @param travel in travel, of the plans that are not later than that
 */
record LowerBound(long lateness, long travel) {
  static final LowerBound NONE = new LowerBound(0, 0);

  boolean isReached(Tour tour) {
    return tour.lateness <= lateness && tour.travel <= travel;
  }
}
