package gilmok.log;

/**
 * Pauses of the log's threads, in milliseconds; tests shorten them.
 *
 * @param pause between the chunks of a segment being prepared
 * @param retry after a segment could not be prepared
 * @param tick the most between two rounds of the housekeeper
 */
record LogWaits(int pause, int retry, int tick) {
  static final LogWaits REAL = new LogWaits(1, 1000, 1000);
}
