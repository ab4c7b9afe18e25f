package gilmok.sinks;

import gilmok.config.Settings;
import gilmok.log.Stream;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The settings that all sinks have, under {@code sinks.<name>.*}.
 *
 * @param name the sink's name: its kind, or its kind, a dash and a word
 * @param streams the streams that it is sent
 * @param tuning its tuning at the start; it can be changed while the sink runs
 * @param retryMin the pause before the second attempt; it doubles, with jitter,
 * @param retryMax up to this; a destination that is back is noticed after that time at the latest
 * @param from where a new sink begins
 */
public record SinkConfig(
    String name,
    Set<Stream> streams,
    Tuning tuning,
    SinkLimits limits,
    Duration retryMin,
    Duration retryMax,
    From from) {

  /** Where a new sink begins. */
  public enum From {
    /** With the oldest record in the log. */
    OLDEST,
    /** With the next record that is collected. */
    NOW
  }

  /**
   * A kind's defaults, where kinds differ.
   *
   * @param batchRecordsMax of {@code batch-records-max}
   * @param maxConcurrency of {@code max-concurrency}
   */
  public record Usual(int batchRecordsMax, int maxConcurrency) {
    /** Batches of 300, one after the other. */
    public static final Usual ONE_BY_ONE = new Usual(300, 1);
  }

  /** The most characters of a name, which is part of a file's name and of metrics. */
  public static final int NAME_CHARS_MAX = 40;

  /**
   * Reads the common keys of one sink.
   *
   * @param name the sink, as in {@code firehose-logs}: its keys are {@code sinks.<name>.*}
   * @param usual the kind's defaults
   * @param possibleStreams the streams that it can be sent; by default all of them but {@code
   *     audit}, which a sink is only sent where its settings name it
   */
  public static SinkConfig from(
      Settings settings, String name, SinkLimits limits, Usual usual, Set<Stream> possibleStreams) {
    String prefix = "sinks." + name + ".";
    Duration retryMin =
        settings.duration(
            prefix + "retry-min", "100 ms", Duration.ofMillis(1), Duration.ofMinutes(10));
    Duration retryMax =
        settings.duration(
            prefix + "retry-max", "4 s", Duration.ofMillis(1), Duration.ofMinutes(10));
    if (retryMin.compareTo(retryMax) > 0) {
      settings.problem(prefix + "retry-min: must not be more than " + prefix + "retry-max");
    }
    Tuning tuning =
        new Tuning(
            settings.number(
                prefix + "batch-records-max", usual.batchRecordsMax(), 1, limits.batchRecordsMax()),
            settings.bytes(prefix + "batch-bytes-max", "4 MiB", 1024, limits.batchBytesMax()),
            settings.duration(
                prefix + "batch-age-max", "100 ms", Duration.ofMillis(1), Duration.ofMinutes(10)),
            settings.number(
                prefix + "max-concurrency", usual.maxConcurrency(), 1, limits.concurrencyMax()));
    return new SinkConfig(
        name,
        streams(settings, prefix + "streams", possibleStreams),
        tuning,
        limits,
        retryMin,
        retryMax,
        settings.choice(prefix + "from", From.OLDEST));
  }

  private static Set<Stream> streams(Settings settings, String key, Set<Stream> possible) {
    List<String> words = settings.words(key);
    EnumSet<Stream> streams = EnumSet.noneOf(Stream.class);
    for (String word : words) {
      Stream found = Stream.of(word);
      if (found == null || !possible.contains(found)) {
        List<String> labels = possible.stream().map(Stream::label).toList();
        settings.problem(key + ": \"" + word + "\" is none of " + String.join(", ", labels));
      } else {
        streams.add(found);
      }
    }
    if (streams.isEmpty()) {
      streams.addAll(possible);
      streams.remove(Stream.AUDIT);
    }
    return Collections.unmodifiableSet(streams);
  }
}
