package gilmok.runsheet.plan;

/**
 * What is proven that no plan can be below.
 *
 * @param lateness in lateness, all drop-offs together
 * @param travel in travel, of the plans that are not later than that
 */
record Bound(long lateness, long travel) {
  static final Bound NONE = new Bound(0, 0);

  boolean isReached(Tour tour) {
    return tour.lateness <= lateness && tour.travel <= travel;
  }
}
