package gilmok.event;

import org.jspecify.annotations.Nullable;

/**
 * Whose records are erased, and by which pseudonym the riders are called where a record has to
 * stay. Implementations are thread-safe and answer quickly: every record of a log is asked about.
 */
@FunctionalInterface
public interface ErasedRiders {
  /** What comes before a rider's id where it is the author of an event. */
  String AUTHOR = "rider:";

  /**
   * The pseudonym of a rider whose records are erased; null for any other text, which may be a
   * rider's id or not.
   */
  @Nullable String pseudonym(String riderId);

  /** A text that people have written, with the pseudonym in the place of each id within it. */
  default String within(String text) {
    return text;
  }

  /** Where the id of a rider is expected: the pseudonym, or the same text. */
  default String inId(String text) {
    String pseudonym = pseudonym(text);
    return pseudonym == null ? text : pseudonym;
  }

  /** The author of an event, with the pseudonym if it is the rider. */
  default String inAuthor(String text) {
    return text.startsWith(AUTHOR) ? AUTHOR + inId(text.substring(AUTHOR.length())) : within(text);
  }
}
