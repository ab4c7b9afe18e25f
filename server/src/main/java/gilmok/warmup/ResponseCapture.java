package gilmok.warmup;

import java.util.Locale;

/**
 * A part of a response that later requests of the same connection send. Immutable.
 *
 * @param name the placeholder that it sets
 * @param place in which part of the response it is
 * @param what the name of the field, header or cookie, or the text right before it
 */
public record ResponseCapture(String name, Place place, String what) {
  /** A part of a response. */
  public enum Place {
    /** The first field of that name in a JSON body. */
    FIELD,
    HEADER,
    COOKIE,
    /** The text after a given text of the body, up to a character that ends a path segment. */
    BEHIND
  }

  /**
   * Parses the words behind {@code # remember} in a script: the placeholder's name, then the place;
   * without a place it is the field {@code id}.
   *
   * @throws IllegalArgumentException when the words are neither
   */
  static ResponseCapture of(String[] words) {
    if (words.length == 2) {
      return new ResponseCapture(words[1], Place.FIELD, "id");
    }
    if (words.length != 4) {
      throw new IllegalArgumentException("expected: remember NAME [field|header|cookie|behind X]");
    }
    Place place = Place.valueOf(words[2].toUpperCase(Locale.ROOT));
    return new ResponseCapture(words[1], place, words[3]);
  }
}
