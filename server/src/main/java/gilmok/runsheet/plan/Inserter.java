package gilmok.runsheet.plan;

/** Puts missing orders into a tour where they do least harm. Not thread-safe: of one search. */
interface Inserter {
  /** Puts the order in and keeps the tour's travel and lateness right. */
  void insert(Tour tour, int order);

  /** Reckons travel and lateness of a tour, some orders of which may be missing. */
  void measure(Tour tour);
}
