package gilmok.collect;

import java.util.Arrays;

/**
 * Hides keys in bytes that are about to be kept, wherever a phone has put them: {@code
 * gk_<id>_<secret>} keeps its length, and its secret becomes stars. Pure functions.
 */
final class HiddenKey {
  /** Of 52 characters; a shorter one is part of a key that was cut. */
  private static final int SECRET_MIN = 16;

  private HiddenKey() {}

  /** Hides all that are in these bytes. */
  static void in(byte[] bytes, int from, int to) {
    for (int i = from + 2; i < to; i++) {
      if (bytes[i] == '_' && bytes[i - 1] == 'k' && bytes[i - 2] == 'g') {
        int id = end(bytes, i + 1, to);
        int secret = id + 1;
        int end = id < to && bytes[id] == '_' ? end(bytes, secret, to) : secret;
        if (end - secret >= SECRET_MIN) {
          Arrays.fill(bytes, secret, end, (byte) '*');
          i = end;
        }
      }
    }
  }

  /** Where a run of small letters and digits ends. */
  private static int end(byte[] bytes, int from, int to) {
    int p = from;
    while (p < to
        && ((bytes[p] >= 'a' && bytes[p] <= 'z') || (bytes[p] >= '0' && bytes[p] <= '9'))) {
      p++;
    }
    return p;
  }
}
