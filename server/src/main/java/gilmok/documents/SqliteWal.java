package gilmok.documents;

/**
 * The state of SQLite's write-ahead log (WAL).
 *
 * @param pages the pages in the log
 * @param moved how many of them have been copied into the database file
 */
record SqliteWal(int pages, int moved) {
  /** What a checkpoint does. */
  enum Mode {
    /** Copies nothing; only reports the state. */
    NOOP,
    /** Copies what it can without making others wait. */
    PASSIVE,
    /** Copies all and waits for readers of the log, so that the next write restarts the log. */
    RESTART,
    /** As RESTART, and cuts the log's file to nothing. */
    TRUNCATE
  }

  int left() {
    return pages - moved;
  }
}
