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
    bytes = meters.counter("gilmok_log_appended_bytes_total", "Bytes written to the log.");
    groupRecords = meters.amounts("gilmok_log_group_records", "Records that shared one fsync.");
    writeSeconds = meters.seconds("gilmok_log_write_seconds", "Writing a batch.");
    fsyncSeconds = meters.seconds("gilmok_log_fsync_seconds", "Forcing a batch to disk.");
    appendSeconds =
        meters.seconds(
            "gilmok_log_append_seconds", "From the first append of a group to its being durable.");
  }

  /** Registers the metrics that are read from a log. */
  public static void watch(Meters meters, Log log, InstantSource clock) {
    meters.gauge(
        "gilmok_log_queue_bytes",
        "Bytes waiting to be written.",
        log::queueBytes,
        log::queueBytesMax);
    meters.gauge(
        "gilmok_log_commit_age_seconds",
        "How long the commit under way has lasted; 0 when there is none.",
        log.standstill()::commitSeconds);
    meters.gauge("gilmok_log_bytes", "Bytes of all segments.", log::bytes, log::bytesMax);
    meters.gauge("gilmok_log_segments", "Segments.", log::segments);
    meters.gauge("gilmok_log_durable_sequence", "The last sequence on disk.", log::durable);
    meters.gauge(
        "gilmok_log_oldest_seconds",
        "Age of the oldest record there is.",
        () -> seconds(clock.millis() - log.oldestMillis()));
    meters.gauge(
        "gilmok_dedup_entries",
        "Records of which a repeat is recognised.",
        log::repeats,
        log::repeatsMax);
    meters.gauge(
        "gilmok_dedup_span_seconds",
        "How long ago a record may have come whose repeat is recognised.",
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
