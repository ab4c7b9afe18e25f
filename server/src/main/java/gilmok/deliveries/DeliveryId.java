package gilmok.deliveries;

import java.util.random.RandomGenerator;

/**
 * Names of deliveries: 10 characters of the time of creation and 16 of chance, as ULIDs have them
 * (Crockford's base 32, here in small letters), so that they sort by creation. From any thread.
 */
public final class DeliveryId {
  /** How many characters. */
  public static final int CHARS = 26;

  /** Into how many shards deliveries fall, each told by one node at a time. */
  public static final int SHARDS = 64;

  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int TIME_CHARS = 10;

  private DeliveryId() {}

  /** A new one. */
  public static String next(long nowMillis, RandomGenerator random) {
    char[] id = new char[CHARS];
    write(nowMillis, id);
    for (int i = TIME_CHARS; i < CHARS; i++) {
      id[i] = DIGITS.charAt(random.nextInt(DIGITS.length()));
    }
    return new String(id);
  }

  /** The text below which all ids made before that time sort. */
  public static String floor(long millis) {
    char[] id = new char[TIME_CHARS];
    write(Math.max(0, millis), id);
    return new String(id);
  }

  /** Whether a text can be one. */
  public static boolean isOne(String text) {
    if (text.length() != CHARS) {
      return false;
    }
    for (int i = 0; i < CHARS; i++) {
      if (DIGITS.indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The shard a delivery falls into: 0 to {@link #SHARDS} - 1, the same everywhere for ever. */
  public static int shard(String id) {
    int hash = 0;
    for (int i = 0; i < id.length(); i++) {
      hash = 31 * hash + id.charAt(i);
    }
    hash *= 0x9E3779B1;
    return hash >>> 26;
  }

  private static void write(long millis, char[] id) {
    for (int i = 0; i < TIME_CHARS; i++) {
      id[i] = DIGITS.charAt((int) (millis >>> (5 * (TIME_CHARS - 1 - i))) & 31);
    }
  }
}
