package gilmok.compress;

/**
 * Makes small fragments, 0.2 to 3 kB, each for one reader. A fragment is compressed at first use of
 * a coding, quickly, by reused native state. Thread-safe; never blocks: when all kept compressors
 * are in use, another is made for the moment and freed at once. So there are never more than {@code
 * keptMost} plus one for each thread that compresses.
 */
public final class SmallFragmentCompressor implements AutoCloseable {
  private final int level;
  private final BodyCompressors kept;

  private interface Way {
    byte[] compress(BodyCompressor compressor, int level, byte[] plain);
  }

  /**
   * Makes fragments of one level.
   *
   * @param level 1 (quick) to 9 (small)
   * @param keptMost how many idle compressors are kept, about 0.4 MiB each; best as many as threads
   *     that answer
   */
  public SmallFragmentCompressor(int level, int keptMost) {
    this.level = BodyCompressor.checked(level);
    kept = new BodyCompressors(keptMost);
  }

  byte[] deflate(byte[] plain) {
    return compressed(plain, BodyCompressor::blocks);
  }

  byte[] zstd(byte[] plain) {
    return compressed(plain, BodyCompressor::frame);
  }

  private byte[] compressed(byte[] plain, Way way) {
    BodyCompressor lent = kept.take();
    if (lent == null) {
      try (BodyCompressor own = new BodyCompressor()) {
        return way.compress(own, level, plain);
      }
    }
    try {
      return way.compress(lent, level, plain);
    } finally {
      kept.giveBack(lent);
    }
  }

  /** How many compressors are kept, including those in use. */
  int kept() {
    return kept.made();
  }

  /**
   * Frees what is kept. A fragment that is compressed afterwards makes what it needs and frees it.
   */
  @Override
  public void close() {
    kept.close();
  }
}
