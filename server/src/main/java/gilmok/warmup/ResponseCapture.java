package gilmok.warmup;

import java.util.Locale;

/**
 * Something of an answer that later shots of the same connection say again. Immutable.
 *
 * @param name of the placeholder that stands for it from then on
 * @param place where in the answer it is
 * @param what the field, header or cookie, or the text right before it
 */
public record ResponseCapture(String name, Place place, String what) {
  /** Where in an answer something is. */
  public enum Place {
    /** The first field of that name in a JSON body. */
    FIELD,
    HEADER,
    COOKIE,
    /** Behind a text of the body, up to what ends a part of a path. */
    BEHIND
  }

  /**
   * What a script says behind {@code # remember}: a name, and where it is unless it is the field
   * {@code id}.
   *
   * @throws IllegalArgumentException when it says neither
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
