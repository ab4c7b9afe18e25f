package gilmok.compress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A body composed of fragments: a whole answer, or a beginning that many answers share. The encoded
 * bytes belong to the fragments: they are not copied, must not be changed, and are sent in order.
 * Joining compresses nothing. Immutable and thread-safe.
 *
 * <p>How the codings are joined: gzip (RFC 1952) is a header, deflate blocks, and the CRC-32 and
 * length of the whole. Each fragment is a run of blocks that ends at a byte and refers to nothing
 * before it, so only one empty block, marked as the last, is added at the end. The CRC is combined
 * from the fragments' CRCs ({@link CombinedCrc32}). zstd (RFC 8878) is a sequence of any number of
 * frames.
 */
public final class ComposedBody {
  /**
   * An empty deflate block, marked as the last: fixed codes, and only the code that ends the block.
   */
  private static final byte[] LAST_BLOCK = {3, 0};

  /** An empty zstd frame: an answer without any frame would be invalid. */
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

  /** Joins fragments. Empty ones are fine, and so is none at all. */
  public static ComposedBody of(Fragment... pieces) {
    return of(Arrays.asList(pieces));
  }

  /** Joins fragments. Empty ones are fine, and so is none at all. */
  public static ComposedBody of(List<Fragment> pieces) {
    return new ComposedBody(new Fragment[0], 0, 0).plus(pieces);
  }

  /** Appends one fragment. Cheap when this body was composed once and kept. */
  public ComposedBody plus(Fragment fragment) {
    return plus(List.of(fragment));
  }

  /** Appends fragments. */
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

  /** The length of the uncompressed body, in bytes. */
  public long bytes() {
    return bytes;
  }

  /**
   * A tag of the content: the fragments' hashes one behind the other, 12 characters of base64url
   * each. It changes when any byte changes, and also when the same bytes are divided into other
   * fragments. A strong ETag has to name the coding as well.
   */
  public String tag() {
    StringBuilder all = new StringBuilder(pieces.length * 12);
    for (Fragment fragment : pieces) {
      all.append(fragment.hash());
    }
    return all.toString();
  }

  /** The body uncompressed. */
  public List<byte[]> identity() {
    List<byte[]> parts = new ArrayList<>(pieces.length);
    for (Fragment fragment : pieces) {
      addUnlessEmpty(parts, fragment.plain());
    }
    return parts;
  }

  /** The body as gzip: one member. */
  public List<byte[]> gzip() {
    List<byte[]> parts = new ArrayList<>(pieces.length + 2);
    parts.add(BodyCompressor.GZIP_HEADER);
    for (Fragment fragment : pieces) {
      addUnlessEmpty(parts, fragment.deflated());
    }
    parts.add(gzipEnd());
    return parts;
  }

  /** The body as zstd: one frame for each fragment. */
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
