package gilmok.log;

import gilmok.config.Settings;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * How long the records of each stream are kept. Immutable.
 *
 * @param usual of a stream that has none of its own; zero: for ever, or as long as all others
 * @param own of the streams that have one
 */
public record StreamRetention(Duration usual, Map<Stream, Duration> own) {
  private static final Duration MAX = Duration.ofDays(3650);

  public StreamRetention {
    own = Map.copyOf(own);
  }

  /** The same for all streams. */
  public static StreamRetention of(Duration usual) {
    return new StreamRetention(usual, Map.of());
  }

  /** Reads the keys {@code PREFIX traces-retention} and so on; 0 is as all others. */
  public static StreamRetention from(Settings settings, String prefix, Duration usual) {
    Map<Stream, Duration> own = new EnumMap<>(Stream.class);
    for (Stream stream : Stream.values()) {
      String key = prefix + stream.label() + "-retention";
      Duration keep = settings.duration(key, "0 s", Duration.ZERO, MAX);
      if (!keep.isZero()) {
        own.put(stream, keep);
      }
    }
    return new StreamRetention(usual, own);
  }

  /** How long that stream's records are kept; zero: for ever. */
  public Duration of(Stream stream) {
    return own.getOrDefault(stream, usual);
  }

  /** The shortest of any stream; zero: all are kept for ever. */
  public Duration shortest() {
    Duration shortest = usual;
    for (Duration keep : own.values()) {
      shortest = shortest.isZero() || keep.compareTo(shortest) < 0 ? keep : shortest;
    }
    return shortest;
  }

  /** Whether any record ever gets too old. */
  public boolean isAny() {
    return !usual.isZero() || !own.isEmpty();
  }
}
