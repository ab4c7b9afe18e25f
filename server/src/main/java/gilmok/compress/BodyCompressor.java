package gilmok.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Packs bodies, one after the other, with the same native contexts and the same array: a context of
 * each body's own would cost more than a small body's packing. What it holds natively, some 270 KiB
 * for gzip and about as much for zstd at quick levels, it takes when it is first needed.
 *
 * <p>Not thread-safe: it is one event loop's, or on loan from {@link BodyCompressors}.
 */
public final class BodyCompressor implements AutoCloseable {
  /** The array that is kept; a larger body gets one for itself. */
  private static final int KEPT_BYTES_MAX = 256 << 10;

  private static final int GZIP_TRAILER_BYTES = 8;
  private static final int IDLE_MAX = 3;

  /** RFC 1952, 2.3: deflate, no time, no name, an unknown system. */
  private static final byte[] GZIP_HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

  private final CRC32 crc = new CRC32();
  private @Nullable Deflater deflater;
  private @Nullable ZstdCompressCtx zstd;
  private byte[] kept = {};
  private int zstdLevel;

  /**
   * A body packed; null when that would not make it smaller.
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
    Deflater deflating = deflater();
    deflating.reset();
    deflating.setLevel(level);
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
    littleEndian(out, at, (int) crc.getValue());
    littleEndian(out, at + 4, plain.length);
    return Arrays.copyOf(out, at + GZIP_TRAILER_BYTES);
  }

  private byte @Nullable [] zstd(int level, byte[] plain) {
    // With less room than this it would throw where a body does not get smaller.
    byte[] out = array((int) Zstd.compressBound(plain.length));
    int length = zstdContext(level).compressByteArray(out, 0, out.length, plain, 0, plain.length);
    return length < plain.length ? Arrays.copyOf(out, length) : null;
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

  private Deflater deflater() {
    Deflater used = deflater;
    if (used == null) {
      used = new Deflater(1, true);
      deflater = used;
    }
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

  private static void littleEndian(byte[] out, int at, int value) {
    out[at] = (byte) value;
    out[at + 1] = (byte) (value >>> 8);
    out[at + 2] = (byte) (value >>> 16);
    out[at + 3] = (byte) (value >>> 24);
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
