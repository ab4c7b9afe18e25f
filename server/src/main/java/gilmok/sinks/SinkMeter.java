package gilmok.sinks;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequests;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The counters of a sink. Thread-safe. */
final class SinkMeter {
  private static final String[] VERDICTS = {
    "done", "held", "retry", "retry_these", "reject_these", "refused"
  };

  private final Set<Stream> streams;
  private final Map<Stream, Counter> delivered;
  private final Map<Stream, Counter> quarantined;
  private final Counter[] attempts = new Counter[VERDICTS.length];
  private final Map<Verdict.Cause, Counter> retries;
  private final BatchTimes times;
  private final Histogram sendSeconds;
  private final Histogram batchRecords;

  SinkMeter(Meters meters, String sink, Set<Stream> streams, SlowRequests slowest) {
    times = new BatchTimes(slowest, sink);
    this.streams = streams;
    delivered =
        counters(
            streams,
            meters,
            sink,
            "gilmok_sink_delivered_records_total",
            "Records that the destination has acknowledged.");
    quarantined =
        counters(
            streams,
            meters,
            sink,
            "gilmok_sink_quarantined_records_total",
            "Records that the destination refused for good.");
    for (int i = 0; i < VERDICTS.length; i++) {
      attempts[i] =
          meters.counter(
              "gilmok_sink_attempts_total",
              "Batches sent, whole or in part, by verdict.",
              "sink",
              sink,
              "verdict",
              VERDICTS[i]);
    }
    retries =
        meters.counters(
            Verdict.Cause.class,
            "gilmok_sink_retries_total",
            "Retries by cause.",
            "cause",
            "sink",
            sink);
    sendSeconds =
        meters.seconds(
            "gilmok_sink_send_seconds", "From a batch's sending to its verdict.", "sink", sink);
    batchRecords =
        meters.amounts("gilmok_sink_batch_records", "Records of a batch sent.", "sink", sink);
  }

  private static Map<Stream, Counter> counters(
      Set<Stream> streams, Meters meters, String sink, String name, String help) {
    Map<Stream, Counter> all = new EnumMap<>(Stream.class);
    for (Stream stream : streams) {
      all.put(stream, meters.counter(name, help, "sink", sink, "stream", stream.label()));
    }
    return all;
  }

  /** Where the time of the slowest batches went. */
  BatchTimes times() {
    return times;
  }

  /** Counts a batch that was sent, and its verdict. */
  void sent(int records, long nanos, Verdict verdict) {
    sendSeconds.record(nanos);
    batchRecords.record(records);
    attempts[
        switch (verdict) {
          case Verdict.Done _ -> 0;
          case Verdict.Held _ -> 1;
          case Verdict.Retry _ -> 2;
          case Verdict.RetryThese _ -> 3;
          case Verdict.RejectThese _ -> 4;
          case Verdict.Refused _ -> 5;
        }]
        .increment();
  }

  /** Counts a retry. */
  void retried(Verdict.Cause cause) {
    Counter counter = retries.get(cause);
    if (counter != null) {
      counter.increment();
    }
  }

  /** Counts records that the destination has acknowledged. */
  void delivered(StreamCounts acknowledged) {
    for (Stream stream : streams) {
      Counter counter = delivered.get(stream);
      if (counter != null) {
        counter.add(Math.max(0, acknowledged.of(stream)));
      }
    }
  }

  /** Counts records of a batch that were quarantined. */
  void quarantined(Batch batch, BitSet which) {
    for (int i = which.nextSetBit(0); i >= 0; i = which.nextSetBit(i + 1)) {
      Counter counter = quarantined.get(batch.stream(i));
      if (counter != null) {
        counter.increment();
      }
    }
  }
}
