package gilmok.log;

/**
 * How the log's threads wait, in milliseconds; tests make it short.
 *
 * @param pause between the pieces of a segment being prepared
 * @param retry after a segment could not be prepared
 * @param tick between two looks of the keeper, at most
 */
record LogWaits(int pause, int retry, int tick) {
  static final LogWaits REAL = new LogWaits(1, 1000, 1000);
}
