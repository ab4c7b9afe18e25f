package gilmok.compress;

import com.github.luben.zstd.ZstdCompressCtx;
import java.util.Arrays;
import java.util.zip.Deflater;

/**
 * Makes pieces' bytes in each coding, with the native state that takes: 256 KiB for deflate, for
 * zstd as much as its level wants. Not thread-safe.
 */
final class FragmentCompressor implements AutoCloseable {
  private static final int LEVEL_MAX = 9;

  /**
   * zstd's level for each of ours. None above 19: those want windows of more than the 8 MB that RFC
   * 9659 lets an answer have.
   */
  private static final int[] ZSTD_LEVELS = {1, 2, 3, 5, 7, 9, 12, 15, 19};

  private static final byte[] NOTHING = {};

  private final Deflater deflater;
  private final ZstdCompressCtx zstd;

  /** Enough for what is compressed often; what is larger is rare, and has one of its own. */
  private final byte[] buffer = new byte[8 * 1024];

  /**
   * One of a level.
   *
   * @param level 1 (quick) to 9 (small)
   */
  FragmentCompressor(int level) {
    if (level < 1 || level > LEVEL_MAX) {
      throw new IllegalArgumentException("level " + level + " is not of 1 to " + LEVEL_MAX);
    }
    deflater = new Deflater(level, true);
    zstd = new ZstdCompressCtx();
    zstd.setLevel(ZSTD_LEVELS[level - 1]).setContentSize(true).setChecksum(false);
  }

  /** Blocks that end at a byte and with none that says it is the last. */
  byte[] deflate(byte[] plain) {
    if (plain.length == 0) {
      return NOTHING;
    }
    int most = deflatedMost(plain.length);
    byte[] out = most <= buffer.length ? buffer : new byte[most];
    deflater.reset();
    deflater.setInput(plain);
    // SYNC_FLUSH writes the same as FULL_FLUSH, which besides forgets what came before, as reset
    // does. Whatever the next piece is, it was compressed without knowing this one.
    int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
    if (length == out.length || !deflater.needsInput()) {
      throw new IllegalStateException(plain.length + " bytes became more than " + most);
    }
    return Arrays.copyOf(out, length);
  }

  /** A frame with the content's size and no checksum, as the transport has one. */
  byte[] zstd(byte[] plain) {
    return plain.length == 0 ? NOTHING : zstd.compress(plain);
  }

  /** As zlib's deflateBound() for all levels, and the flush. */
  private static int deflatedMost(int length) {
    return Math.toIntExact(length + ((length + 7L) >> 3) + ((length + 63L) >> 6) + 64);
  }

  @Override
  public void close() {
    deflater.end();
    zstd.close();
  }
}
