package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.BitSet;

/** A destination's answer to a batch. Indexes are those of the batch that was sent. */
public sealed interface Verdict {
  /** Why records have to be sent again; the label of a metric. */
  enum Cause {
    /** No answer: there was no connection, or it broke. */
    UNREACHABLE,
    /** The answer did not come in time. The records may have been kept all the same. */
    TIMEOUT,
    /** The destination asked to be sent less. */
    THROTTLED,
    /** The sink's own pace, below the destination's quota, left no turn in time. Not a fault. */
    PACED,
    /** The batch was refused; whether a record or the destination is at fault is not known yet. */
    REFUSED,
    /** The destination denies access: credentials, rights, no such stream. */
    DENIED,
    /** The destination failed in another way, or the disk did. */
    FAILED
  }

  /**
   * All records are kept, as durably as the destination promises.
   *
   * @param acknowledged the records that the destination acknowledged, counted at its answer, not
   *     at the sending
   * @param place where the records can be found, as in a file's name or a request's id; at most 200
   *     characters
   */
  record Done(StreamCounts acknowledged, String place) implements Verdict {}

  /**
   * The sink holds the records but does not keep them yet; {@link Sink#release} returns the result.
   */
  record Held() implements Verdict {}

  /** No record is known to be kept: send all again, after a pause. */
  record Retry(Cause cause, String detail) implements Verdict {}

  /**
   * Some records have to be sent again, after a pause; all others are kept.
   *
   * @param again the indexes of these records
   */
  record RetryThese(
      BitSet again, StreamCounts acknowledged, String place, Cause cause, String detail)
      implements Verdict {}

  /**
   * Some records will never be taken and are quarantined; {@code rest} is the verdict on the
   * others.
   *
   * @param rejected the indexes of the records that are quarantined
   * @param field the field that is wrong, empty for the whole record
   * @param reason why, the same for all of them
   * @param rest no {@code RejectThese} or {@link Refused}. A {@link Retry} with an empty detail
   *     means that the others were not sent yet; they are sent at once
   */
  record RejectThese(BitSet rejected, String field, String reason, Verdict rest)
      implements Verdict {}

  /**
   * The destination refuses the batch as a whole and would refuse it again. A record in it is at
   * fault, or the destination is; the answer does not tell which. So the batch is divided in
   * halves, down to single records; when nothing at all is taken, the sink is held ({@code
   * RefusalBreaker}).
   */
  record Refused(String reason) implements Verdict {}
}
