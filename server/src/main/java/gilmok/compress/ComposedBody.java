package gilmok.compress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pieces one behind the other: an answer, or the beginning that many answers have. Each coding's
 * bytes are the pieces' own, not copied and not to be changed, to be sent in order; joining
 * compresses nothing. Immutable and thread-safe.
 *
 * <p>How the codings are joined: gzip (RFC 1952) has a header, blocks of deflate, and the CRC-32
 * and length of all; each piece is blocks that end at a byte and refer to nothing before them, so
 * what is missing at the end is one empty block that says it is the last. The CRC is reckoned from
 * the pieces' ({@link CombinedCrc32}). zstd (RFC 8878) is frames, as many as one likes.
 */
public final class ComposedBody {
  /** The last block: final, of fixed codes, and at once the code that ends it. */
  private static final byte[] LAST_BLOCK = {3, 0};

  /** A frame of zstd with nothing in it, as an answer without any frame is none. */
  private static final byte[] EMPTY_FRAME = {
    0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0x20, 0, 1, 0, 0
  };

  private final Fragment[] pieces;
  private final long bytes;
  private final int crc;

  private ComposedBody(Fragment[] pieces, long bytes, int crc) {
    this.pieces = pieces;
    this.bytes = bytes;
    this.crc = crc;
  }

  /** Joins pieces; empty ones, and none at all, are fine. */
  public static ComposedBody of(Fragment... pieces) {
    return of(Arrays.asList(pieces));
  }

  /** Joins pieces; empty ones, and none at all, are fine. */
  public static ComposedBody of(List<Fragment> pieces) {
    return new ComposedBody(new Fragment[0], 0, 0).plus(pieces);
  }

  /** These and then one more: cheap, when these are joined once and kept. */
  public ComposedBody plus(Fragment fragment) {
    return plus(List.of(fragment));
  }

  /** These and then those. */
  public ComposedBody plus(List<Fragment> more) {
    Fragment[] all = Arrays.copyOf(pieces, pieces.length + more.size());
    long length = bytes;
    int sum = crc;
    int at = pieces.length;
    for (Fragment fragment : more) {
      all[at++] = fragment;
      length += fragment.plain().length;
      sum = CombinedCrc32.join(sum, fragment.crc(), fragment.shift());
    }
    return new ComposedBody(all, length, sum);
  }

  /** How many bytes it has as they are. */
  public long bytes() {
    return bytes;
  }

  /**
   * The pieces' hashes one behind the other, 12 characters of base64url each: another one when a
   * byte is another one. What is the same but otherwise divided has another tag, too. A strong ETag
   * has to name the coding besides.
   */
  public String tag() {
    StringBuilder all = new StringBuilder(pieces.length * 12);
    for (Fragment fragment : pieces) {
      all.append(fragment.hash());
    }
    return all.toString();
  }

  /** As it is. */
  public List<byte[]> identity() {
    List<byte[]> parts = new ArrayList<>(pieces.length);
    for (Fragment fragment : pieces) {
      addUnlessEmpty(parts, fragment.plain());
    }
    return parts;
  }

  /** As gzip: one member. */
  public List<byte[]> gzip() {
    List<byte[]> parts = new ArrayList<>(pieces.length + 2);
    parts.add(BodyCompressor.GZIP_HEADER);
    for (Fragment fragment : pieces) {
      addUnlessEmpty(parts, fragment.deflated());
    }
    parts.add(gzipEnd());
    return parts;
  }

  /** As zstd: a frame for each piece. */
  public List<byte[]> zstd() {
    List<byte[]> parts = new ArrayList<>(pieces.length);
    for (Fragment fragment : pieces) {
      addUnlessEmpty(parts, fragment.zstd());
    }
    if (parts.isEmpty()) {
      parts.add(EMPTY_FRAME);
    }
    return parts;
  }

  private byte[] gzipEnd() {
    byte[] end = Arrays.copyOf(LAST_BLOCK, LAST_BLOCK.length + 8);
    BodyCompressor.INT.set(end, LAST_BLOCK.length, crc);
    // The length modulo 2^32, as the format has it.
    BodyCompressor.INT.set(end, LAST_BLOCK.length + 4, (int) bytes);
    return end;
  }

  private static void addUnlessEmpty(List<byte[]> parts, byte[] part) {
    if (part.length > 0) {
      parts.add(part);
    }
  }
}
