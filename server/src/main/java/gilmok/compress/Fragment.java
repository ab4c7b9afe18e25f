package gilmok.compress;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A precompressed fragment of an answer, in each coding, ready to be joined in {@link
 * ComposedBody}. Immutable to its users, and thread-safe. A fragment of {@link
 * SmallFragmentCompressor} is compressed at first use of a coding; if two threads need it at once,
 * both compress it, to the same bytes.
 */
public final class Fragment {
  private static final int HASH_BYTES = 9;

  private final byte[] plain;
  private final int crc;
  private final int shift;
  private final @Nullable SmallFragmentCompressor smallFragmentCompressor;
  private volatile byte @Nullable [] deflated;
  private volatile byte @Nullable [] zstd;
  private volatile @Nullable String hash;

  private Fragment(byte[] plain, @Nullable SmallFragmentCompressor smallFragmentCompressor) {
    this.plain = plain;
    this.smallFragmentCompressor = smallFragmentCompressor;
    crc = CombinedCrc32.of(plain);
    shift = CombinedCrc32.shift(plain.length);
  }

  /**
   * Compresses a fragment at once, in every coding: for content that many answers share. Takes
   * milliseconds for 100 kB, and tens of them at levels 8 and 9. Level 9 is three times as slow as
   * 8 and 1 % smaller.
   *
   * @param plain not copied, and not to be changed afterwards
   * @param level 1 (quick) to 9 (small); 8 where nobody waits for it
   */
  public static Fragment of(byte[] plain, int level) {
    Fragment fragment = new Fragment(plain, null);
    try (BodyCompressor compressor = new BodyCompressor()) {
      fragment.deflated = compressor.blocks(BodyCompressor.checked(level), plain);
      fragment.zstd = compressor.frame(level, plain);
    }
    return fragment;
  }

  /**
   * A fragment that is compressed at first use of a coding.
   *
   * @param plain not copied, and not to be changed afterwards
   */
  public static Fragment later(byte[] plain, SmallFragmentCompressor smallFragmentCompressor) {
    return new Fragment(plain, smallFragmentCompressor);
  }

  /** The uncompressed bytes; not to be changed. */
  public byte[] plain() {
    return plain;
  }

  /**
   * The first 9 bytes of the uncompressed bytes' SHA-256, as 12 characters of base64url: for an
   * ETag. Computed at first use.
   */
  public String hash() {
    String known = hash;
    if (known == null) {
      byte[] all = sha256().digest(plain);
      known = Base64.getUrlEncoder().encodeToString(Arrays.copyOf(all, HASH_BYTES));
      hash = known;
    }
    return known;
  }

  /**
   * The deflate blocks: they end at a byte, and none is marked as the last. Nothing when the
   * fragment is empty.
   */
  byte[] deflated() {
    byte[] known = deflated;
    if (known == null) {
      known = tails().deflate(plain);
      deflated = known;
    }
    return known;
  }

  /** The zstd frame; nothing when the fragment is empty. */
  byte[] zstd() {
    byte[] known = zstd;
    if (known == null) {
      known = tails().zstd(plain);
      zstd = known;
    }
    return known;
  }

  /** The CRC-32 of the uncompressed bytes. */
  int crc() {
    return crc;
  }

  /** The factor for the CRC of everything before this fragment, see {@link CombinedCrc32}. */
  int shift() {
    return shift;
  }

  private SmallFragmentCompressor tails() {
    if (smallFragmentCompressor == null) {
      throw new IllegalStateException("a piece that was not compressed when it was made");
    }
    return smallFragmentCompressor;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
