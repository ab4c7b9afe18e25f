package gilmok.deliveries;

import java.util.random.RandomGenerator;

/**
 * Ids of deliveries: 10 characters of creation time and 16 random ones, as in ULIDs (Crockford's
 * base 32, but in small letters). So ids sort by creation time. Thread-safe.
 */
public final class DeliveryId {
  /** The length of an id. */
  public static final int CHARS = 26;

  /** The number of shards of deliveries; one node at a time sends the events of a shard. */
  public static final int SHARDS = 64;

  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int TIME_CHARS = 10;

  private DeliveryId() {}

  /** A new id. */
  public static String next(long nowMillis, RandomGenerator random) {
    char[] id = new char[CHARS];
    write(nowMillis, id);
    for (int i = TIME_CHARS; i < CHARS; i++) {
      id[i] = DIGITS.charAt(random.nextInt(DIGITS.length()));
    }
    return new String(id);
  }

  /** The id of a delivery of the past, always the same for the same time and bytes. */
  static String derived(long millis, byte[] hash) {
    char[] id = new char[CHARS];
    write(millis, id);
    for (int i = TIME_CHARS; i < CHARS; i++) {
      id[i] = DIGITS.charAt(hash[i - TIME_CHARS] & 31);
    }
    return new String(id);
  }

  /** A lower bound of the ids made at that time or later: all earlier ids sort below it. */
  public static String floor(long millis) {
    char[] id = new char[TIME_CHARS];
    write(Math.max(0, millis), id);
    return new String(id);
  }

  /** When an id was made, epoch ms; of any text that begins with digits of one. */
  public static long millis(String id) {
    long millis = 0;
    for (int i = 0; i < TIME_CHARS && i < id.length(); i++) {
      millis = millis << 5 | Math.max(0, DIGITS.indexOf(id.charAt(i)));
    }
    return millis;
  }

  /** Whether a text has the form of an id. */
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

  /**
   * The shard of a delivery: 0 to {@link #SHARDS} - 1. A pure function of the id that must never
   * change, as all nodes and versions have to agree.
   */
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
