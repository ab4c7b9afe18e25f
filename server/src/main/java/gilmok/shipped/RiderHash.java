package gilmok.shipped;

/**
 * Which part of the riders a rider is of: the first bits of a hash of the id's UTF-8 bytes, which
 * is FNV-1a with 64 bits and then the finalizer of MurmurHash3. It never changes, as the names of
 * files say parts by it.
 */
public final class RiderHash {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private RiderHash() {}

  /**
   * The part of a rider, from 0 on.
   *
   * @param parts how many there are: a power of two
   */
  public static int part(byte[] utf8, int offset, int length, int parts) {
    long hash = FNV_OFFSET;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ (utf8[i] & 0xff)) * FNV_PRIME;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    hash ^= hash >>> 33;
    return parts == 1 ? 0 : (int) (hash >>> (64 - Integer.numberOfTrailingZeros(parts)));
  }
}
