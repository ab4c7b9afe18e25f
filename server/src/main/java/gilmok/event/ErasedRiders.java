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

  /**
   * A text with the pseudonym in the id's place: one that is the id, that is the author of an
   * event, or that has the id as a part between slashes. The same object where there is none.
   */
  default String in(String text) {
    String whole = pseudonym(text);
    if (whole != null) {
      return whole;
    }
    if (text.startsWith(AUTHOR)) {
      String author = pseudonym(text.substring(AUTHOR.length()));
      return author == null ? text : AUTHOR + author;
    }
    if (text.indexOf('/') < 0) {
      return text;
    }
    String[] parts = text.split("/", -1);
    boolean isFound = false;
    for (int i = 0; i < parts.length; i++) {
      String part = pseudonym(parts[i]);
      isFound |= part != null;
      parts[i] = part == null ? parts[i] : part;
    }
    return isFound ? String.join("/", parts) : text;
  }
}
