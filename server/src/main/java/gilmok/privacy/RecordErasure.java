package gilmok.privacy;

import gilmok.event.ErasedRiders;
import gilmok.event.RiderErasure;
import gilmok.log.RecordRewrite;
import gilmok.log.Stream;

/**
 * What becomes of the log's records when riders are erased ({@link RiderErasure}). Not thread-safe:
 * one for each rewriting.
 */
public final class RecordErasure implements RecordRewrite {
  private final RiderErasure erasure;

  /** Of these riders. */
  public RecordErasure(ErasedRiders riders) {
    erasure = new RiderErasure(riders);
  }

  @Override
  public Outcome of(Stream stream, long receivedAtMillis, byte[] bytes, int offset, int length) {
    byte[] left = erasure.left(bytes, offset, length);
    return left == null ? KEEP : left.length == 0 ? ERASE : RecordRewrite.replaceBy(left);
  }
}
