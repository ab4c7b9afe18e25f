package gilmok.sinks;

import gilmok.log.Stream;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a sink does.
 *
 * @param fault what went wrong last and is not mended by a success since; null when nothing is
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
   * How far it has come.
   *
   * @param sequence everything up to here is settled
   * @param settledAbove how many ranges above it are settled too
   * @param waiting records of its streams that are not settled
   * @param lagMillis how long the oldest of them has waited; 0 when none has
   * @param inFlight batches on their way, those that wait for another attempt included
   */
  public record Progress(
      long sequence, int settledAbove, long waiting, long lagMillis, int inFlight) {}

  /** What went wrong, and when, epoch ms. */
  public record Fault(String reason, long atMillis) {
    @Override
    public String toString() {
      return reason;
    }
  }

  /** What a sink is doing. */
  public enum State {
    RUNNING,
    /** Its last attempt failed; it tries again. */
    RETRYING,
    /** Somebody has paused it. */
    PAUSED,
    /** It missed records because the log was full; it goes on, and somebody should look. */
    DETACHED,
    /**
     * Nothing of it arrives: its destination refuses every record, or a bug or a damaged log
     * stopped it; the fault says which. It tries again by itself.
     */
    BROKEN,
    /** It has a cursor, but the settings name it no more. */
    UNCONFIGURED
  }
}
