package gilmok.compress;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;

/** Decodes composed bodies with other programs' decoders. */
final class Decoded {
  private static final int HEAD_BYTES = 10;
  private static final int TRAILER_BYTES = 8;

  private Decoded() {}

  /** All parts in a row. */
  static byte[] together(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Decodes by GZIPInputStream, which checks the CRC and the length; no byte may be left over. */
  static byte[] gzip(List<byte[]> parts) {
    ByteArrayInputStream in = new ByteArrayInputStream(together(parts));
    try (GZIPInputStream gzip = new GZIPInputStream(in)) {
      byte[] decoded = gzip.readAllBytes();
      if (in.available() > 0) {
        throw new IOException(in.available() + " bytes are left");
      }
      return decoded;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it is one member: the blocks must end exactly where the trailer begins. */
  static boolean isOneMember(List<byte[]> parts) throws DataFormatException {
    byte[] all = together(parts);
    Inflater inflater = new Inflater(true);
    inflater.setInput(all, HEAD_BYTES, all.length - HEAD_BYTES);
    byte[] out = new byte[1 << 16];
    while (!inflater.finished() && (inflater.inflate(out) > 0 || !inflater.needsInput())) {
      // Inflates to the last block.
    }
    boolean isOne = inflater.finished() && inflater.getRemaining() == TRAILER_BYTES;
    inflater.end();
    return isOne;
  }

  /** Decodes by ZstdInputStream. */
  static byte[] zstd(List<byte[]> parts) {
    ByteArrayInputStream in = new ByteArrayInputStream(together(parts));
    try (ZstdInputStream zstd = new ZstdInputStream(in)) {
      return zstd.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Decodes by a single call of zstd. */
  static byte[] zstdAtOnce(List<byte[]> parts, int bytesMost) {
    return Zstd.decompress(together(parts), bytesMost);
  }
}
