package gilmok.compress;

/**
 * Makes small pieces for one reader each, 0.2 to 3 kB: compressed when a coding is first asked for,
 * quickly, by native state that is used again and again. Thread-safe, and blocks nobody: when all
 * kept state is in use, some is made for the moment and freed at once, so there is never more of it
 * than threads that compress and {@code keptMost}.
 */
public final class SmallFragmentCompressor implements AutoCloseable {
  private final int level;
  private final BodyCompressors kept;

  private interface Way {
    byte[] compress(BodyCompressor compressor, int level, byte[] plain);
  }

  /**
   * Makes tails of a level.
   *
   * @param level 1 (quick) to 9 (small)
   * @param keptMost how many compressors are kept while none needs them, about 0.4 MiB each; as
   *     many as threads that answer
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

  /** How many compressors are kept, also those in use. */
  int kept() {
    return kept.made();
  }

  /** Frees what is kept. Pieces that are compressed afterwards make what they need and free it. */
  @Override
  public void close() {
    kept.close();
  }
}
