package gilmok.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses bodies into one reused array. The array never grows past the largest body a route
 * accepts, so a small body that decompresses to gigabytes costs neither memory nor time.
 *
 * <p>Not thread-safe: one for each event loop, owned by its thread.
 */
public final class Decompressor implements AutoCloseable {
  /** The body would be longer than allowed. */
  public static final int OVER = -1;

  /** The body is not valid in its coding; {@link #reason} tells why. */
  public static final int BROKEN = -2;

  private static final int FIRST_BYTES = 64 << 10;
  private static final int GZIP_HEADER_BYTES = 10;
  private static final int GZIP_TRAILER_BYTES = 8;

  /**
   * The most members of one gzip body. An empty member is 20 bytes: without a bound, a small body
   * would keep the loop busy.
   */
  private static final int GZIP_MEMBERS_MAX = 1024;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private @Nullable ZstdDecompressCtx zstd;
  private byte[] out = new byte[FIRST_BYTES];
  private int length;
  private String reason = "";

  /** The array with the decompressed bytes, from 0 on; valid until the next {@link #unpack}. */
  public byte[] bytes() {
    return out;
  }

  /** Why the last body was {@link #BROKEN}, in a few English words. */
  public String reason() {
    return reason;
  }

  /** Decompresses a body. Returns the decompressed length, or {@link #OVER}, or {@link #BROKEN}. */
  public int unpack(
      ContentCoding coding, byte[] packed, int offset, int packedLength, int bytesMax) {
    if (packedLength == 0) {
      return 0;
    }
    length = 0;
    return coding == ContentCoding.GZIP
        ? gzip(packed, offset, offset + packedLength, bytesMax)
        : zstd(packed, offset, packedLength, bytesMax);
  }

  private int gzip(byte[] in, int offset, int end, int bytesMax) {
    int at = offset;
    for (int members = 0; at < end; members++) {
      if (members == GZIP_MEMBERS_MAX) {
        return broken("too many gzip members");
      }
      int data = afterGzipHeader(in, at, end);
      if (data < 0) {
        return broken(at == offset ? "not gzip" : "garbage after the gzip data");
      }
      int memberStart = length;
      int trailer = inflate(in, data, end, bytesMax);
      if (trailer < 0) {
        return trailer;
      }
      if (end - trailer < GZIP_TRAILER_BYTES) {
        return broken("gzip data ends early");
      }
      crc.reset();
      crc.update(out, memberStart, length - memberStart);
      if ((int) BodyCompressor.INT.get(in, trailer) != (int) crc.getValue()
          || (int) BodyCompressor.INT.get(in, trailer + 4) != length - memberStart) {
        return broken("gzip checksum differs");
      }
      at = trailer + GZIP_TRAILER_BYTES;
    }
    return length;
  }

  /**
   * Inflates one member. Returns where its trailer starts, or {@link #OVER}, or {@link #BROKEN}.
   */
  private int inflate(byte[] in, int from, int end, int bytesMax) {
    inflater.reset();
    inflater.setInput(in, from, end - from);
    try {
      while (!inflater.finished()) {
        if (length > bytesMax) {
          return OVER;
        }
        makeRoom(length + 1, bytesMax);
        int n = inflater.inflate(out, length, out.length - length);
        length += n;
        if (n == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
          return broken("gzip data ends early");
        }
      }
    } catch (DataFormatException e) {
      return broken("gzip data is corrupt");
    }
    return length > bytesMax ? OVER : end - inflater.getRemaining();
  }

  /** Where the deflated data starts (RFC 1952, 2.3); -1 when this is no gzip header. */
  private static int afterGzipHeader(byte[] in, int from, int end) {
    if (end - from < GZIP_HEADER_BYTES
        || in[from] != 0x1f
        || in[from + 1] != (byte) 0x8b
        || in[from + 2] != 8
        || (in[from + 3] & 0xe0) != 0) {
      return -1;
    }
    int flags = in[from + 3];
    int at = from + GZIP_HEADER_BYTES;
    if ((flags & 4) != 0) {
      if (end - at < 2) {
        return -1;
      }
      at += 2 + (in[at] & 0xff) + ((in[at + 1] & 0xff) << 8);
    }
    if ((flags & 8) != 0) {
      at = afterZero(in, at, end);
    }
    if ((flags & 16) != 0) {
      at = afterZero(in, at, end);
    }
    if ((flags & 2) != 0) {
      at += 2;
    }
    return at > end ? -1 : at;
  }

  private static int afterZero(byte[] in, int from, int end) {
    int at = from;
    while (at < end && in[at] != 0) {
      at++;
    }
    return at + 1;
  }

  /**
   * Decompresses all frames at once, straight into the array. The output itself serves as the
   * window, so a frame that asks for a large window gets no memory for it.
   */
  private int zstd(byte[] in, int offset, int packedLength, int bytesMax) {
    long known = Zstd.getFrameContentSize(in, offset, packedLength);
    if (known > bytesMax) {
      return OVER;
    }
    makeRoom(known > 0 ? (int) known : 0, bytesMax);
    while (true) {
      try {
        return zstdContext()
            .decompressByteArray(out, 0, Math.min(out.length, bytesMax), in, offset, packedLength);
      } catch (ZstdException e) {
        if (e.getErrorCode() != Zstd.errDstSizeTooSmall()) {
          return broken("zstd data is corrupt or ends early");
        }
        if (out.length >= bytesMax) {
          return OVER;
        }
        makeRoom(Math.min(bytesMax, 8 * out.length), bytesMax);
      }
    }
  }

  private ZstdDecompressCtx zstdContext() {
    ZstdDecompressCtx context = zstd;
    if (context == null) {
      context = new ZstdDecompressCtx();
      zstd = context;
    }
    return context;
  }

  /**
   * Grows the array to at least that length by doubling; one byte over the maximum is enough to
   * detect a body that is too long.
   */
  private void makeRoom(int bytes, int bytesMax) {
    if (bytes > out.length) {
      int doubled = Math.max(bytes, 2 * out.length);
      byte[] larger = new byte[Math.max(bytes, Math.min(doubled, bytesMax + 1))];
      System.arraycopy(out, 0, larger, 0, length);
      out = larger;
    }
  }

  private int broken(String why) {
    reason = why;
    return BROKEN;
  }

  @Override
  public void close() {
    inflater.end();
    if (zstd != null) {
      zstd.close();
    }
  }
}
