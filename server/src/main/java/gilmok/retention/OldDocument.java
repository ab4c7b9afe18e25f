package gilmok.retention;

import org.jspecify.annotations.Nullable;

/** A document as it is archived and removed. */
public interface OldDocument {
  /** Its id among those of its kind. */
  String id();

  /** Differs whenever the document does; 0 if it never changes. */
  default long revision() {
    return 0;
  }

  /** Since when it counts as old enough, epoch ms. */
  long sinceMillis();

  /** What a file's name says of it: letters, digits and {@code -}; sorts as the time does. */
  String label();

  /**
   * Why it has to stay although it is of a time before that; null if it can go. One of the causes
   * that its {@link DocumentRemoval} names.
   */
  default @Nullable String stays(long beforeMillis) {
    return null;
  }
}
