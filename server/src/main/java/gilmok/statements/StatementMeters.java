package gilmok.statements;

import gilmok.http.Offload;
import gilmok.observe.Counter;
import gilmok.observe.Meters;

/** The metrics of statements. Thread-safe. */
final class StatementMeters {
  final Offload.Call add;
  final Offload.Call sum;
  final Counter failures;
  final Counter skipped;
  final Counter unusable;
  final Counter brokenOff;
  final Source posted;
  final Source deliveries;

  /** The counters of entries from one source. */
  static final class Source {
    private final Counter accepted;
    private final Counter duplicates;
    private final Counter differing;
    private final Counter tooOld;

    private Source(Meters meters, String source) {
      accepted = entries(meters, source, "accepted");
      duplicates = entries(meters, source, "duplicate");
      tooOld = entries(meters, source, "too_old");
      differing =
          meters.counter(
              "gilmok_statements_differing_total",
              "Duplicates that differ from the entry stored under their id.",
              "source",
              source);
    }

    private static Counter entries(Meters meters, String source, String outcome) {
      return meters.counter(
          "gilmok_statements_entries_total",
          "Entries by source and outcome.",
          "source",
          source,
          "outcome",
          outcome);
    }

    void added(EntryStore.Added added) {
      accepted.add(added.accepted());
      duplicates.add(added.duplicates());
      differing.add(added.differing().size());
      tooOld.add(added.tooOld().size());
    }

    /** A request was refused as an entry of it is too old. */
    void tooOld() {
      tooOld.increment();
    }
  }

  StatementMeters(Meters meters) {
    add = call(meters, false, "add");
    sum = call(meters, true, "sum");
    failures =
        meters.counter(
            "gilmok_statements_store_failures_total", "Calls that the store did not answer.");
    skipped = skipped(meters);
    unusable =
        meters.counter(
            "gilmok_statements_unusable_records_total",
            "Completed deliveries with a fee of which no entry could be made.");
    brokenOff =
        meters.counter(
            "gilmok_statements_broken_off_total",
            "Statements with entries that were interrupted before their end.");
    posted = new Source(meters, "posted");
    deliveries = new Source(meters, "delivery");
  }

  private static Offload.Call call(Meters meters, boolean isRead, String call) {
    return new Offload.Call(
        isRead,
        meters.seconds(
            "gilmok_statements_store_seconds",
            "Answering from the store; with entries, up to the first page.",
            "call",
            call));
  }

  /** Also used where this part does not run and its cursor is left off. */
  static Counter skipped(Meters meters) {
    return meters.counter(
        "gilmok_statements_skipped_records_total",
        "Records of a full log that were deleted before they were searched for" + " deliveries.");
  }
}
