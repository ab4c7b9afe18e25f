package gilmok.documents;

/**
 * How SQLite's log of writes (WAL) stands.
 *
 * @param pages pages in it
 * @param moved how many of them are in the file too
 */
record SqliteWal(int pages, int moved) {
  /** What a checkpoint does. */
  enum Mode {
    /** Nothing but say how it stands. */
    NOOP,
    /** Moves what can be moved without anybody waiting for it. */
    PASSIVE,
    /** Moves all, and waits for those who read it, so that the next write begins the log anew. */
    RESTART
  }

  int left() {
    return pages - moved;
  }
}
