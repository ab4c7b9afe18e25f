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
 * Compresses bodies, one after the other, with the same native contexts and the same array: a
 * context of each body's own would cost more than a small body's compressing. What it holds
 * natively, some 270 KiB for gzip and about as much for zstd at quick levels, it takes when it is
 * first needed.
 *
 * <p>Not thread-safe: it is one event loop's, or on loan from {@link BodyCompressors}.
 */
public final class BodyCompressor implements AutoCloseable {
  /** The array that is kept; a larger body gets one for itself. */
  private static final int KEPT_BYTES_MAX = 256 << 10;

  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int IDLE_MAX = 3;

  /** Four bytes, the lowest first, as gzip's trailer has them. */
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** RFC 1952, 2.3: deflate, no time, no name, an unknown system. */
  static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private static final byte[] NOTHING = {};

  /**
   * zstd's level for each of a fragment's. None above 19: those want windows of more than the 8 MB
   * that RFC 9659 lets an answer have.
   */
  private static final int[] ZSTD_LEVELS = {1, 2, 3, 5, 7, 9, 12, 15, 19};

  private final CRC32 crc = new CRC32();
  private @Nullable Deflater deflater;
  private @Nullable ZstdCompressCtx zstd;
  private byte[] kept = {};
  private int zstdLevel;

  /**
   * A body compressed; null when that would not make it smaller.
   *
   * @param coding not {@link ContentCoding#IDENTITY}
   * @param level 1 to 9
   */
  public byte @Nullable [] pack(ContentCoding coding, int level, byte[] plain) {
    return coding == ContentCoding.GZIP ? gzip(level, plain) : zstd(level, plain);
  }

  private byte @Nullable [] gzip(int level, byte[] plain) {
    // Nothing that is not smaller has a place in it: then deflating stops early.
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
    // A call may write nothing though there is room: the first one after another level does.
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
    // With less room than this it would throw where a body does not get smaller.
    byte[] out = array((int) Zstd.compressBound(plain.length));
    int length = zstdContext(level).compressByteArray(out, 0, out.length, plain, 0, plain.length);
    return length < plain.length ? Arrays.copyOf(out, length) : null;
  }

  /** That level, if there is such a one. */
  static int checked(int level) {
    if (level < 1 || level > ZSTD_LEVELS.length) {
      throw new IllegalArgumentException("level " + level + " is not of 1 to 9");
    }
    return level;
  }

  /**
   * A fragment's blocks of deflate, which end at a byte, with none that says it is the last.
   *
   * @param level always the same one, so that what is written depends on the bytes alone
   */
  byte[] blocks(int level, byte[] plain) {
    if (plain.length == 0) {
      return NOTHING;
    }
    byte[] out = array(deflatedMost(plain.length));
    Deflater deflating = deflater(level);
    deflating.setInput(plain);
    // SYNC_FLUSH writes the same as FULL_FLUSH, which besides forgets what came before, as reset
    // does. Whatever the next fragment is, it was compressed without knowing this one.
    int length = deflating.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
    if (length == out.length || !deflating.needsInput()) {
      throw new IllegalStateException(plain.length + " bytes became more than " + out.length);
    }
    return Arrays.copyOf(out, length);
  }

  /** A fragment's frame of zstd, with the content's size and no checksum, as TLS has one. */
  byte[] frame(int level, byte[] plain) {
    return plain.length == 0 ? NOTHING : zstdContext(ZSTD_LEVELS[level - 1]).compress(plain);
  }

  /** As zlib's deflateBound() for all levels, and the flush. */
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

  /** Gives back what is not the collector's; not to be used afterwards. */
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
