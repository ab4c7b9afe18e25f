package gilmok.log;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.time.InstantSource;
import java.util.Map;

/** The log's metrics. Apart from {@link Log}, as the log itself imports only the JDK. */
public final class LogMeters implements LogMeter {
  private static final Stream[] STREAMS = Stream.values();

  private final Map<Stream, Counter> records;
  private final Counter bytes;
  private final Histogram groupRecords;
  private final Histogram writeSeconds;
  private final Histogram fsyncSeconds;
  private final Histogram appendSeconds;

  public LogMeters(Meters meters) {
    records =
        meters.counters(
            Stream.class, "gilmok_log_appended_records_total", "Records made durable.", "stream");
    bytes =
        meters.counter(
            "gilmok_log_appended_bytes_total", "Bytes written to the log, after compression.");
    groupRecords = meters.amounts("gilmok_log_group_records", "Records that one fsync covers.");
    writeSeconds =
        meters.seconds("gilmok_log_write_seconds", "Writing one batch, without its fsync.");
    fsyncSeconds = meters.seconds("gilmok_log_fsync_seconds", "One fsync.");
    appendSeconds =
        meters.seconds("gilmok_log_append_seconds", "From the first append of a group to durable.");
  }

  /** Registers the metrics that are read from a log. */
  public static void watch(Meters meters, Log log, InstantSource clock) {
    meters.gauge(
        "gilmok_log_queue_bytes",
        "Bytes that wait for the writer.",
        log::queueBytes,
        log::queueBytesMax);
    meters.gauge(
        "gilmok_log_commit_age_seconds",
        "How long the commit under way has lasted; 0 when there is none.",
        log.standstill()::commitSeconds);
    meters.gauge(
        "gilmok_log_bytes", "The size of all segments on disk.", log::bytes, log::bytesMax);
    meters.gauge("gilmok_log_segments", "Segment files.", log::segments);
    meters.gauge(
        "gilmok_log_durable_sequence", "The highest sequence that is on disk.", log::durable);
    meters.gauge(
        "gilmok_log_oldest_seconds",
        "Age of the oldest record kept.",
        () -> seconds(clock.millis() - log.oldestMillis()));
    meters.gauge(
        "gilmok_dedup_entries", "Entries of the dedup table.", log::repeats, log::repeatsMax);
    meters.gauge(
        "gilmok_dedup_span_seconds",
        "How far back repeats are recognised.",
        () -> {
          long now = clock.millis();
          return seconds(now - log.repeatsOldestMillis(now));
        });
  }

  @Override
  public void committed(CommitGroup group, long writeNanos, long fsyncNanos, long appendNanos) {
    for (Stream stream : STREAMS) {
      int count = group.count(stream);
      Counter counter = records.get(stream);
      if (count > 0 && counter != null) {
        counter.add(count);
      }
    }
    bytes.add(group.size());
    groupRecords.record(group.count());
    writeSeconds.record(writeNanos);
    fsyncSeconds.record(fsyncNanos);
    appendSeconds.record(appendNanos);
  }

  private static double seconds(long millis) {
    return Math.max(0, millis) / 1000.0;
  }
}
