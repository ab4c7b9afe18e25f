package gilmok.runsheet.plan;

/**
 * Inserts missing orders into a tour where they cost least. Not thread-safe: owned by one search.
 */
interface Inserter {
  /** Inserts an order and updates the tour's travel and lateness. */
  void insert(Tour tour, int order);

  /** Computes the travel and lateness of a tour; some orders may be missing. */
  void measure(Tour tour);
}
