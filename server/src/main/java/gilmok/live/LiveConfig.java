package gilmok.live;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * Bounds of the live part.
 *
 * @param ridersMax how many riders are followed at once
 * @param keep how long a rider is remembered who sends nothing
 * @param snapshotInterval how often everyone's position is saved
 * @param streamsMax how many streams of positions are open at once
 * @param streamInterval the least time between two writes to a stream that asks for no other
 */
public record LiveConfig(
    int ridersMax,
    Duration keep,
    Duration snapshotInterval,
    int streamsMax,
    Duration streamInterval) {
  static final Duration STREAM_INTERVAL_MIN = Duration.ofMillis(100);
  static final Duration STREAM_INTERVAL_MAX = Duration.ofMinutes(1);

  /** Reads the keys {@code live.*}. */
  public static LiveConfig from(Settings settings) {
    return new LiveConfig(
        settings.number("live.riders-max", 1_000_000, 1, 10_000_000),
        settings.duration("live.keep", "30 d", Duration.ofMinutes(1), Duration.ofDays(3650)),
        settings.duration(
            "live.snapshot-interval", "1 min", Duration.ofMillis(10), Duration.ofHours(1)),
        settings.number("live.streams-max", 2000, 1, 100_000),
        settings.duration("live.stream-interval", "1 s", STREAM_INTERVAL_MIN, STREAM_INTERVAL_MAX));
  }
}
