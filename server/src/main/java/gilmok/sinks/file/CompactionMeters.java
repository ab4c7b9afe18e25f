package gilmok.sinks.file;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;

/** What a sink's compaction does, for the metrics. Thread-safe. */
public final class CompactionMeters {
  private final Counter filesIn;
  private final Counter filesOut;
  private final Counter rows;
  private final Counter repeats;
  private final Counter failures;
  private final Histogram seconds;
  private volatile int waiting;

  /** Registers the meters of one sink. */
  public CompactionMeters(Meters meters, String sink) {
    filesIn =
        meters.counter(
            "gilmok_compaction_files_in_total",
            "Published files that compacted ones have taken the place of.",
            "sink",
            sink);
    filesOut =
        meters.counter(
            "gilmok_compaction_files_out_total", "Compacted files written.", "sink", sink);
    rows =
        meters.counter(
            "gilmok_compaction_rows_total", "Rows written by the compaction.", "sink", sink);
    repeats =
        meters.counter(
            "gilmok_compaction_repeats_total",
            "Rows left out, as the same record was there twice.",
            "sink",
            sink);
    failures =
        meters.counter(
            "gilmok_compaction_failures_total", "Hours that could not be compacted.", "sink", sink);
    seconds = meters.seconds("gilmok_compaction_seconds", "Time to compact an hour.", "sink", sink);
    meters.gauge(
        "gilmok_compaction_waiting_folders",
        "Folders of an hour with files to compact.",
        () -> waiting,
        "sink",
        sink);
  }

  void compacted(int inputs, int outputs, long rowsIn, long rowsOut) {
    filesIn.add(inputs);
    filesOut.add(outputs);
    rows.add(rowsOut);
    repeats.add(rowsIn - rowsOut);
  }

  void took(long nanos) {
    seconds.record(nanos);
  }

  void failed() {
    failures.increment();
  }

  void waiting(int hours) {
    waiting = hours;
  }
}
