package gilmok.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Compresses bodies one after the other and reuses its native contexts and its array: a new context
 * would cost more than compressing a small body. It allocates native memory on first use, some 270
 * KiB for gzip and about as much for zstd at quick levels.
 *
 * <p>Not thread-safe: owned by one event loop, or on loan from {@link BodyCompressors}.
 */
public final class BodyCompressor implements AutoCloseable {
  /** The size of the largest array that is kept; a larger body gets an array of its own. */
  private static final int KEPT_BYTES_MAX = 256 << 10;

  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int IDLE_MAX = 3;

  /** Accesses four bytes in little-endian order, as in gzip's trailer. */
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** RFC 1952, 2.3: deflate, no time, no name, an unknown system. */
  static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private static final byte[] NOTHING = {};

  /**
   * The level of zstd for each level of a fragment. None is above 19: higher levels use windows of
   * more than the 8 MB that RFC 9659 allows.
   */
  private static final int[] ZSTD_LEVELS = {1, 2, 3, 5, 7, 9, 12, 15, 19};

  private final CRC32 crc = new CRC32();
  private @Nullable Deflater deflater;
  private @Nullable ZstdCompressCtx zstd;
  private byte[] kept = {};
  private int zstdLevel;

  /**
   * Compresses a body. Returns null when the result would not be smaller.
   *
   * @param coding not {@link ContentCoding#IDENTITY}
   * @param level 1 to 9
   */
  public byte @Nullable [] pack(ContentCoding coding, int level, byte[] plain) {
    return coding == ContentCoding.GZIP ? gzip(level, plain) : zstd(level, plain);
  }

  private byte @Nullable [] gzip(int level, byte[] plain) {
    // One byte less than the plain body: deflating stops as soon as the result is no smaller.
    int room = plain.length - 1;
    if (room < GZIP_HEADER.length + GZIP_TRAILER_BYTES) {
      return null;
    }
    byte[] out = array(room);
    System.arraycopy(GZIP_HEADER, 0, out, 0, GZIP_HEADER.length);
    Deflater deflating = deflater(level);
    deflating.setInput(plain);
    deflating.finish();
    int end = room - GZIP_TRAILER_BYTES;
    int at = GZIP_HEADER.length;
    // A call may write nothing although there is room: the first one after a change of level does.
    for (int idle = 0; !deflating.finished(); ) {
      int written = deflating.deflate(out, at, end - at);
      at += written;
      idle = written == 0 ? idle + 1 : 0;
      if (!deflating.finished() && (at == end || idle > IDLE_MAX)) {
        return null;
      }
    }
    crc.reset();
    crc.update(plain);
    INT.set(out, at, (int) crc.getValue());
    INT.set(out, at + 4, plain.length);
    return Arrays.copyOf(out, at + GZIP_TRAILER_BYTES);
  }

  private byte @Nullable [] zstd(int level, byte[] plain) {
    // With less room zstd throws for a body that does not get smaller.
    byte[] out = array((int) Zstd.compressBound(plain.length));
    int length = zstdContext(level).compressByteArray(out, 0, out.length, plain, 0, plain.length);
    return length < plain.length ? Arrays.copyOf(out, length) : null;
  }

  /**
   * Checks a level and returns it.
   *
   * @throws IllegalArgumentException if there is no such level
   */
  static int checked(int level) {
    if (level < 1 || level > ZSTD_LEVELS.length) {
      throw new IllegalArgumentException("level " + level + " is not of 1 to 9");
    }
    return level;
  }

  /**
   * Compresses a fragment to deflate blocks that end at a byte. None of them is marked as the last.
   *
   * @param level always the same one, so that the output depends on the bytes alone
   */
  byte[] blocks(int level, byte[] plain) {
    if (plain.length == 0) {
      return NOTHING;
    }
    byte[] out = array(deflatedMost(plain.length));
    Deflater deflating = deflater(level);
    deflating.setInput(plain);
    // SYNC_FLUSH writes the same bytes as FULL_FLUSH. FULL_FLUSH also forgets what came before,
    // which reset does here: each fragment is compressed without knowing the one before it.
    int length = deflating.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
    if (length == out.length || !deflating.needsInput()) {
      throw new IllegalStateException(plain.length + " bytes became more than " + out.length);
    }
    return Arrays.copyOf(out, length);
  }

  /**
   * Compresses a fragment to a zstd frame, with the content size and without a checksum, as TLS has
   * one.
   */
  byte[] frame(int level, byte[] plain) {
    return plain.length == 0 ? NOTHING : zstdContext(ZSTD_LEVELS[level - 1]).compress(plain);
  }

  /**
   * The largest size of a deflated body, at any level and with the flush: as zlib's deflateBound().
   */
  private static int deflatedMost(int length) {
    return Math.toIntExact(length + ((length + 7L) >> 3) + ((length + 63L) >> 6) + 64);
  }

  private byte[] array(int bytes) {
    if (bytes > KEPT_BYTES_MAX) {
      return new byte[bytes];
    }
    if (bytes > kept.length) {
      kept = new byte[Math.min(KEPT_BYTES_MAX, Math.max(bytes, 2 * kept.length))];
    }
    return kept;
  }

  private Deflater deflater(int level) {
    Deflater used = deflater;
    if (used == null) {
      used = new Deflater(level, true);
      deflater = used;
    }
    used.reset();
    used.setLevel(level);
    return used;
  }

  private ZstdCompressCtx zstdContext(int level) {
    ZstdCompressCtx used = zstd;
    if (used == null) {
      used = new ZstdCompressCtx();
      zstd = used;
    }
    if (level != zstdLevel) {
      used.setLevel(level);
      zstdLevel = level;
    }
    return used;
  }

  /** Frees the native memory; this object must not be used afterwards. */
  @Override
  public void close() {
    if (deflater != null) {
      deflater.end();
      deflater = null;
    }
    if (zstd != null) {
      zstd.close();
      zstd = null;
    }
  }
}
