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

  /** The size of the log, in pages, at which a checkpoint begins: 64 MiB. */
  static final int USUAL_PAGES = 16_000;

  /** The bytes of those pages: what a log's file keeps when the log begins anew. */
  static final long USUAL_BYTES = USUAL_PAGES * 4_096L;

  int left() {
    return pages - moved;
  }
}
