package gilmok.compress;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Makes small pieces for one reader each, 0.2 to 3 kB: compressed when a coding is first asked for,
 * quickly, by native state that is used again and again. Thread-safe, and blocks nobody: when all
 * kept state is in use, some is made for the moment and freed at once, so there is never more of it
 * than threads that compress and {@code keptMost}.
 */
public final class SmallFragmentCompressor implements AutoCloseable {
  private final int level;
  private final BlockingQueue<FragmentCompressor> idle;
  private volatile boolean closed;

  /**
   * Makes tails of a level.
   *
   * @param level 1 (quick) to 9 (small)
   * @param keptMost how many compressors are kept while none needs them, about 0.4 MiB each; as
   *     many as threads that answer
   */
  public SmallFragmentCompressor(int level, int keptMost) {
    this.level = level;
    idle = new ArrayBlockingQueue<>(keptMost);
    // An unfit level is told now, not by the first piece.
    idle.add(new FragmentCompressor(level));
  }

  /**
   * A piece that is compressed later.
   *
   * @param plain not copied, and not to be changed afterwards
   */
  public Fragment of(byte[] plain) {
    return Fragment.later(plain, this);
  }

  byte[] deflate(byte[] plain) {
    FragmentCompressor compressor = take();
    try {
      return compressor.deflate(plain);
    } finally {
      giveBack(compressor);
    }
  }

  byte[] zstd(byte[] plain) {
    FragmentCompressor compressor = take();
    try {
      return compressor.zstd(plain);
    } finally {
      giveBack(compressor);
    }
  }

  /** How many compressors are kept now. */
  int idle() {
    return idle.size();
  }

  private FragmentCompressor take() {
    FragmentCompressor kept = idle.poll();
    return kept == null ? new FragmentCompressor(level) : kept;
  }

  private void giveBack(FragmentCompressor compressor) {
    if (!idle.offer(compressor)) {
      compressor.close();
    }
    // Looked at after the offer: whoever comes last, this or close(), leaves nothing.
    if (closed) {
      empty();
    }
  }

  /** Frees what is kept. Pieces that are compressed afterwards make what they need and free it. */
  @Override
  public void close() {
    closed = true;
    empty();
  }

  private void empty() {
    for (FragmentCompressor kept = idle.poll(); kept != null; kept = idle.poll()) {
      kept.close();
    }
  }
}
