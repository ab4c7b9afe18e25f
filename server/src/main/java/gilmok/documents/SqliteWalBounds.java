package gilmok.documents;

/**
 * How large SQLite's write-ahead log may be, in pages of 4 KiB. Immutable.
 *
 * @param usual checkpoints begin; a log that begins anew is cut to it
 * @param high removing of old documents waits, and the writer waits for readers so that the log can
 *     begin anew; a copy that is under way no longer keeps its pace
 * @param max all writes wait until the log begins anew, however long a reader needs it
 */
record SqliteWalBounds(int usual, int high, int max) {
  /** 64 MiB, 128 MiB, 1 GiB. */
  static final SqliteWalBounds DEFAULTS = new SqliteWalBounds(16_384, 32_768, 262_144);

  private static final long PAGE_BYTES = 4_096;

  SqliteWalBounds {
    if (usual < 1 || high < usual || max < high) {
      throw new IllegalArgumentException("bounds of a log have to rise");
    }
  }

  /** The bytes of the usual size. */
  long usualBytes() {
    return usual * PAGE_BYTES;
  }
}
