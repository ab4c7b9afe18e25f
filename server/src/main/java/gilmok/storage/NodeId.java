package gilmok.storage;

import java.util.random.RandomGenerator;

/**
 * The name of a node: 60 random bits, written as 12 characters of {@code a-z2-7}. On disk a long.
 *
 * @param bits the lower 60 bits
 */
public record NodeId(long bits) {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 12;
  private static final long MASK = (1L << (5 * LENGTH)) - 1;

  /** A new id. */
  public static NodeId random(RandomGenerator random) {
    return new NodeId(random.nextLong() & MASK);
  }

  /**
   * Reads the written form.
   *
   * @throws IllegalArgumentException when the text is no node id
   */
  public static NodeId parse(String text) {
    long bits = 0;
    for (int i = 0; i < text.length(); i++) {
      int letter = LETTERS.indexOf(text.charAt(i));
      if (letter < 0) {
        throw new IllegalArgumentException("no node id: " + text);
      }
      bits = bits << 5 | letter;
    }
    if (text.length() != LENGTH) {
      throw new IllegalArgumentException("no node id: " + text);
    }
    return new NodeId(bits);
  }

  @Override
  public String toString() {
    char[] text = new char[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      text[i] = LETTERS.charAt((int) (bits >>> (5 * (LENGTH - 1 - i))) & 31);
    }
    return new String(text);
  }
}
