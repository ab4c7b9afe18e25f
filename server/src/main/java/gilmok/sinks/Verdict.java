package gilmok.sinks;

import gilmok.log.StreamCounts;
import java.util.BitSet;

/** What became of a batch. Indexes are those of the batch that was sent. */
public sealed interface Verdict {
  /** Why something has to be sent again; the label of a metric. */
  enum Cause {
    /** Nobody answers: no connection, or it broke. */
    UNREACHABLE,
    /** The answer did not come in time. It may have been kept all the same. */
    TIMEOUT,
    /** The destination asks for less. */
    THROTTLED,
    /** Our own pace, below the destination's quota, had no turn for it yet. Not a fault. */
    PACED,
    /** It was refused, and whether a record is at fault or the destination is not known yet. */
    REFUSED,
    /** The destination does not let us: credentials, rights, no such stream. */
    DENIED,
    /** The destination failed in another way, or the disk did. */
    FAILED
  }

  /**
   * All of it is kept, durably by the destination's own measure.
   *
   * @param acknowledged what the destination said it kept, counted at its answer, not at the
   *     sending
   * @param place where it can be found, as in a file's name or a request's id; at most 200
   *     characters
   */
  record Done(StreamCounts acknowledged, String place) implements Verdict {}

  /** It was taken but is not kept yet; {@link Sink#release} will say. */
  record Held() implements Verdict {}

  /** Nothing of it is known to be kept; all of it again, after a pause. */
  record Retry(Cause cause, String detail) implements Verdict {}

  /**
   * These again, after a pause; all others are kept.
   *
   * @param again indexes
   */
  record RetryThese(
      BitSet again, StreamCounts acknowledged, String place, Cause cause, String detail)
      implements Verdict {}

  /**
   * These will never be taken and are set aside; of the others the rest tells.
   *
   * @param rejected indexes
   * @param field what is wrong with them, empty for all of it
   * @param reason why, the same for all of them
   * @param rest not another {@code RejectThese} or {@link Refused}. A {@link Retry} whose detail is
   *     empty says that the others were not sent yet: they are, at once
   */
  record RejectThese(BitSet rejected, String field, String reason, Verdict rest)
      implements Verdict {}

  /**
   * The destination refuses the batch as a whole and would again: some record in it is at fault, or
   * the destination is, and it does not say which. Its halves are sent, down to the one that is
   * alone with its fault; when nothing at all is taken, the sink is held ({@code RefusalBreaker}).
   */
  record Refused(String reason) implements Verdict {}
}
