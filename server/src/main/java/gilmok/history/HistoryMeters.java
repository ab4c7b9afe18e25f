package gilmok.history;

import gilmok.config.Settings;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.shipped.ShippedFiles;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** What is measured of questions about the past. Thread-safe. */
final class HistoryMeters {
  private final Map<Kind, Histogram> seconds = new EnumMap<>(Kind.class);
  private final Map<Kind, Map<Result, Counter>> ended = new EnumMap<>(Kind.class);
  private final Counter rowsRead;
  private final Counter rowsAnswered;

  /** What is asked for. */
  enum Kind {
    TRACE,
    TRIPS,
    STAYS,
    LOGS
  }

  /** How a question ended. */
  enum Result {
    ANSWERED,
    /** Its asker has the answer: 304. */
    UNCHANGED,
    /** There was no room. */
    BUSY,
    /** At {@code history.timeout}. */
    TOO_LONG,
    /** Its reader has gone, or read nothing for too long. */
    NOT_READ,
    /** A file of the past is damaged. */
    DAMAGED,
    /** A disk failed, or the server stopped. */
    FAILED
  }

  HistoryMeters(Meters meters, int openMax, IntSupplier open) {
    rowsRead =
        meters.counter(
            "gilmok_history_rows_read_total",
            "Rows of files and records of the log that questions about the past looked at.");
    rowsAnswered =
        meters.counter(
            "gilmok_history_rows_answered_total", "Rows in answers to questions about the past.");
    meters.gauge("gilmok_history_open", "Questions about the past under way.", open::getAsInt);
    meters.gauge("gilmok_history_open_max", "The bound of gilmok_history_open.", () -> openMax);
    for (Kind kind : Kind.values()) {
      seconds.put(
          kind,
          meters.seconds(
              "gilmok_history_seconds",
              "How long the server worked at a question about the past.",
              "kind",
              Settings.dashed(kind)));
      Map<Result, Counter> counters = new EnumMap<>(Result.class);
      for (Result result : Result.values()) {
        counters.put(
            result,
            meters.counter(
                "gilmok_history_questions_total",
                "Questions about the past, by how they ended.",
                "kind",
                Settings.dashed(kind),
                "result",
                Settings.dashed(result)));
      }
      ended.put(kind, counters);
    }
  }

  /** What is kept in memory of files. */
  static void footers(Meters meters, List<ShippedFiles> files) {
    meters.counter(
        "gilmok_history_footers_read_total",
        "Footers of files that were read, as they were not in memory.",
        () -> files.stream().mapToLong(ShippedFiles::footersRead).sum());
    meters.gauge(
        "gilmok_history_footer_bytes",
        "Memory of the footers of files that were read last.",
        () -> files.stream().mapToLong(ShippedFiles::footerBytes).sum(),
        () -> files.stream().mapToLong(ShippedFiles::footerBytesMax).sum());
  }

  /** A question that there was no room for. */
  void busy(Kind kind) {
    count(kind, Result.BUSY);
  }

  /** A question has ended; the server has worked at it for so long. */
  void ended(Kind kind, Result result, long nanos, QuestionCounts counts) {
    count(kind, result);
    Histogram histogram = seconds.get(kind);
    if (histogram != null) {
      histogram.record(nanos);
    }
    rowsRead.add(counts.rowsRead());
    rowsAnswered.add(counts.rowsAnswered());
  }

  private void count(Kind kind, Result result) {
    Counter counter = ended.getOrDefault(kind, Map.of()).get(result);
    if (counter != null) {
      counter.increment();
    }
  }
}
