package gilmok.runsheet;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.Map;
import java.util.Objects;

/** Shows planning in the metrics. Thread-safe. */
record RunSheetMeters(
    Map<RunSheetMeters.Outcome, Counter> outcomes, Histogram waits, Histogram plans) {
  /** What became of a request. */
  enum Outcome {
    /** Planned, and proven best. */
    OPTIMAL,
    /** Planned, but not proven best within its budget. */
    UNPROVEN,
    /** A given plan was looked at. */
    CHECKED,
    /** Refused for what it says. */
    INVALID,
    /** Refused at once: too many are under way. */
    FULL,
    /** Refused when its budget was used up while it waited. */
    WAITED,
    /** Its sender went away. */
    ABANDONED,
    /** Planning did not answer. */
    FAILED
  }

  static RunSheetMeters of(Meters meters) {
    return new RunSheetMeters(
        meters.counters(
            Outcome.class,
            "gilmok_run_sheets_total",
            "Requests for run sheets, by what became of them.",
            "outcome"),
        meters.seconds("gilmok_run_sheets_wait_seconds", "Waiting for a worker."),
        meters.seconds("gilmok_run_sheets_plan_seconds", "Planning, the way there and back."));
  }

  void became(Outcome outcome) {
    Objects.requireNonNull(outcomes.get(outcome)).increment();
  }
}
