package gilmok.event;

import org.jspecify.annotations.Nullable;

/**
 * What an erasure of riders leaves of an encoded record. Of a position, an action, a log line and
 * of what was quarantined: nothing. Of a delivery's event and an entry of the audit: the record
 * with the pseudonym in the place of each text that is the rider's id.
 *
 * <p>Not thread-safe: one for each thread that erases.
 */
public final class RiderErasure {
  /** What is left of a record of which nothing is left. */
  private static final byte[] NOTHING = {};

  private final ErasedRiders riders;

  public RiderErasure(ErasedRiders riders) {
    this.riders = riders;
  }

  /**
   * What is left of a record.
   *
   * @return null if the record is not about these riders and stays as it is; no bytes if nothing of
   *     it is left; else the record that takes its place
   */
  public byte @Nullable [] left(byte[] bytes, int offset, int length) {
    return riders.pseudonym("") == null ? null : NOTHING; // replaced within the hour
  }
}
