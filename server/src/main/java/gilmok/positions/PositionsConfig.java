package gilmok.positions;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * Settings of the live part. Immutable.
 *
 * @param ridersMax how many riders are followed at once
 * @param keep how long a rider who sends nothing is kept
 * @param snapshotInterval how often all positions are saved
 * @param streamsMax how many streams of positions are open at once
 * @param streamInterval the least time between two writes to a stream, unless its request sets
 *     another
 * @param follow where the positions that other nodes collect are read
 * @param followWait how long a start waits for them
 */
public record PositionsConfig(
    int ridersMax,
    Duration keep,
    Duration snapshotInterval,
    int streamsMax,
    Duration streamInterval,
    Follow follow,
    Duration followWait) {
  /** Where the positions that other nodes collect are read. */
  public enum Follow {
    /** Nowhere: this node knows the riders that it has heard of. */
    NONE,
    /** In Redis, where the sinks of all nodes write them. */
    REDIS,
    /** In topics of Kafka, to which the sinks of all nodes ship. */
    KAFKA
  }

  static final Duration STREAM_INTERVAL_MIN = Duration.ofMillis(100);
  static final Duration STREAM_INTERVAL_MAX = Duration.ofMinutes(1);

  /** Reads the keys {@code positions.*}. */
  public static PositionsConfig from(Settings settings) {
    return new PositionsConfig(
        settings.number("positions.riders-max", 1_000_000, 1, 10_000_000),
        settings.duration("positions.keep", "30 d", Duration.ofMinutes(1), Duration.ofDays(3650)),
        settings.duration(
            "positions.snapshot-interval", "1 min", Duration.ofMillis(10), Duration.ofHours(1)),
        settings.number("positions.streams-max", 2000, 1, 100_000),
        settings.duration(
            "positions.stream-interval", "1 s", STREAM_INTERVAL_MIN, STREAM_INTERVAL_MAX),
        settings.choice("positions.follow", Follow.NONE),
        settings.duration("positions.follow-wait", "30 s", Duration.ZERO, Duration.ofMinutes(10)));
  }

  /** Whether this node reads what others collect. */
  public boolean isFollowing() {
    return follow != Follow.NONE;
  }

  /** The same settings for a node that knows nothing of others. */
  public PositionsConfig alone() {
    return new PositionsConfig(
        ridersMax, keep, snapshotInterval, streamsMax, streamInterval, Follow.NONE, followWait);
  }
}
