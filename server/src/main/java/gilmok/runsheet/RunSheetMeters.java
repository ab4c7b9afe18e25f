package gilmok.runsheet;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.observe.WaitMeter;
import java.util.Map;
import java.util.Objects;

/** The metrics of planning. Thread-safe. */
record RunSheetMeters(
    Map<RunSheetMeters.Outcome, Counter> outcomes,
    Histogram waits,
    Histogram plans,
    WaitMeter threads) {
  /** The result of a request. */
  enum Outcome {
    /** Planned, and proven optimal. */
    OPTIMAL,
    /** Planned, but not proven optimal within its budget. */
    UNPROVEN,
    /** A given plan was checked. */
    CHECKED,
    /** Refused as invalid. */
    INVALID,
    /** Refused at once: too many requests in flight. */
    FULL,
    /** Refused: its budget was used up while it waited. */
    WAITED,
    /** Its sender disconnected. */
    ABANDONED,
    /** Planning failed. */
    FAILED
  }

  static RunSheetMeters of(Meters meters) {
    return new RunSheetMeters(
        meters.counters(
            Outcome.class,
            "gilmok_run_sheets_total",
            "Requests for run sheets, by outcome.",
            "outcome"),
        meters.seconds(
            "gilmok_run_sheets_wait_seconds", "Time that a request waited for a worker."),
        meters.seconds(
            "gilmok_run_sheets_plan_seconds", "Planning, with the way to the planners and back."),
        new WaitMeter(meters, "planner"));
  }

  void became(Outcome outcome) {
    Objects.requireNonNull(outcomes.get(outcome)).increment();
  }
}
