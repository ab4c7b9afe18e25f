package gilmok.sinks;

import gilmok.config.Settings;
import gilmok.log.Stream;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What all sinks can be told, under {@code ship.<name>.*}.
 *
 * @param name the sink's name: its kind, or its kind, a dash and a word
 * @param streams what it is sent
 * @param tuning how it starts; it can be tuned while it runs
 * @param retryMin the pause before the second attempt; it doubles, with jitter,
 * @param retryMax up to this; a destination that is back is noticed that late
 * @param from where a sink begins that was not there before
 */
public record SinkConfig(
    String name,
    Set<Stream> streams,
    Tuning tuning,
    SinkLimits limits,
    Duration retryMin,
    Duration retryMax,
    From from) {

  /** Where a sink begins that was not there before. */
  public enum From {
    /** With the oldest record there still is. */
    OLDEST,
    /** With what is collected from now on. */
    NOW
  }

  /** The longest name; it is part of a file's name and of metrics. */
  public static final int NAME_CHARS_MAX = 40;

  /**
   * Reads the common keys of one sink.
   *
   * @param name the sink, as in {@code firehose-logs}: its keys are {@code ship.<name>.*}
   * @param usualConcurrency the fallback of {@code max-concurrency}
   * @param usualStreams what it is sent if nothing is said; also all that it can be sent
   */
  public static SinkConfig from(
      Settings settings,
      String name,
      SinkLimits limits,
      int usualConcurrency,
      Set<Stream> usualStreams) {
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
                prefix + "batch-records-max",
                Math.min(300, limits.batchRecordsMax()),
                1,
                limits.batchRecordsMax()),
            settings.bytes(prefix + "batch-bytes-max", "4 MiB", 1024, limits.batchBytesMax()),
            settings.duration(
                prefix + "batch-age-max", "100 ms", Duration.ofMillis(1), Duration.ofMinutes(10)),
            settings.number(
                prefix + "max-concurrency", usualConcurrency, 1, limits.concurrencyMax()));
    return new SinkConfig(
        name,
        streams(settings, prefix + "streams", usualStreams),
        tuning,
        limits,
        retryMin,
        retryMax,
        settings.choice(prefix + "from", From.OLDEST));
  }

  private static Set<Stream> streams(Settings settings, String key, Set<Stream> usual) {
    List<String> words = settings.words(key);
    EnumSet<Stream> streams = EnumSet.noneOf(Stream.class);
    for (String word : words) {
      Stream found = Stream.of(word);
      if (found == null || !usual.contains(found)) {
        List<String> labels = usual.stream().map(Stream::label).toList();
        settings.problem(key + ": \"" + word + "\" is none of " + String.join(", ", labels));
      } else {
        streams.add(found);
      }
    }
    return Collections.unmodifiableSet(streams.isEmpty() ? EnumSet.copyOf(usual) : streams);
  }
}
