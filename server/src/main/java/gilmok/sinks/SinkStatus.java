package gilmok.sinks;

import gilmok.log.Stream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The status of a sink.
 *
 * @param fault the last failure that no success has followed; null when there is none
 */
public record SinkStatus(
    String name,
    String kind,
    State state,
    boolean isOrdered,
    Set<Stream> streams,
    Tuning tuning,
    SinkLimits limits,
    Progress progress,
    @Nullable Fault fault) {

  /**
   * The progress of a sink.
   *
   * @param sequence everything up to this sequence is settled
   * @param settledAbove how many ranges above it are settled too
   * @param waiting records of its streams that are not settled
   * @param lagMillis how long the oldest of them has waited; 0 when there is none
   * @param inFlight batches in flight, including those that wait for another attempt
   */
  public record Progress(
      long sequence, int settledAbove, long waiting, long lagMillis, int inFlight) {}

  /** A failure and when it happened, epoch ms. */
  public record Fault(String reason, long atMillis) {
    @Override
    public String toString() {
      return reason;
    }
  }

  /** The state of a sink. */
  public enum State {
    RUNNING,
    /** Its last attempt failed; it retries. */
    RETRYING,
    /** An operator has paused it. */
    PAUSED,
    /** It missed records because the log was full. It goes on, and an operator should look. */
    DETACHED,
    /**
     * None of its records arrives: its destination refuses every record, or a bug or a damaged log
     * stopped it; the fault tells which. It starts again by itself.
     */
    BROKEN,
    /** It has a cursor, but the settings no longer name it. */
    UNCONFIGURED
  }
}
