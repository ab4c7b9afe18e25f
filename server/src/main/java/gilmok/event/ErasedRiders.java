package gilmok.event;

import org.jspecify.annotations.Nullable;

/**
 * Whose records are erased, and by which pseudonym the riders are called where a record has to
 * stay. Implementations are thread-safe and answer quickly: every record of a log is asked about.
 */
@FunctionalInterface
public interface ErasedRiders {
  /**
   * The pseudonym of a rider whose records are erased; null for any other text, which may be a
   * rider's id or not.
   */
  @Nullable String pseudonym(String riderId);
}
