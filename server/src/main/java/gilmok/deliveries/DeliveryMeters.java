package gilmok.deliveries;

import gilmok.http.Offload;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The metrics of deliveries. Thread-safe. */
final class DeliveryMeters {
  /** The outcome of a requested step. */
  enum Outcome {
    DONE,
    REPEATED,
    STATE,
    VERSION,
    NOT_YOURS,
    TOO_MANY,
    UNKNOWN,
    TAKEN,
    BODY_DIFFERS
  }

  /** The outcome of a rider's action. */
  enum Acted {
    MOVED,
    WAITING,
    LATE,
    UNKNOWN,
    IGNORED
  }

  /** The kinds of calls to the store. */
  enum Call {
    CREATE,
    MOVE,
    FIND,
    LIST
  }

  private final Map<Step, Map<Outcome, Counter>> steps = new EnumMap<>(Step.class);
  private final Map<Acted, Counter> actions;
  private final Map<Call, Offload.Call> calls = new EnumMap<>(Call.class);
  final Counter failures;
  final Counter skipped;
  private final Counter published;
  private final Histogram publishedSeconds;

  DeliveryMeters(Meters meters) {
    for (Step step : Step.values()) {
      Map<Outcome, Counter> outcomes = new EnumMap<>(Outcome.class);
      for (Outcome outcome : Outcome.values()) {
        if (canBe(step, outcome)) {
          outcomes.put(
              outcome,
              meters.counter(
                  "gilmok_deliveries_steps_total",
                  "Creations and transitions over HTTP, by outcome.",
                  "step",
                  step.label(),
                  "outcome",
                  label(outcome)));
        }
      }
      steps.put(step, outcomes);
    }
    actions =
        meters.counters(
            Acted.class,
            "gilmok_deliveries_actions_total",
            "Riders' actions with a delivery and a step, by outcome.",
            "outcome");
    for (Call call : Call.values()) {
      calls.put(
          call,
          new Offload.Call(
              call == Call.FIND || call == Call.LIST,
              meters.seconds(
                  "gilmok_deliveries_store_seconds",
                  "A call of the store, the wait in its queue included.",
                  "call",
                  label(call))));
    }
    failures =
        meters.counter(
            "gilmok_deliveries_store_failures_total", "Calls that the store did not answer.");
    skipped = skipped(meters);
    published =
        meters.counter("gilmok_deliveries_published_records_total", "Events published to the log.");
    publishedSeconds =
        meters.seconds(
            "gilmok_deliveries_published_seconds",
            "From an event to its durable record in the log.");
  }

  private static boolean canBe(Step step, Outcome outcome) {
    return switch (outcome) {
      case DONE, NOT_YOURS, REPEATED, BODY_DIFFERS -> true;
      case TAKEN -> step == Step.CREATE;
      case STATE, VERSION, TOO_MANY, UNKNOWN -> step != Step.CREATE;
    };
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  void step(Step step, Outcome outcome) {
    Counter counter = Objects.requireNonNull(steps.get(step)).get(outcome);
    if (counter != null) {
      counter.increment();
    }
  }

  void acted(Acted acted) {
    Objects.requireNonNull(actions.get(acted)).increment();
  }

  /** How a kind of call is offloaded; reads leave room for calls that move deliveries. */
  Offload.Call call(Call call) {
    return Objects.requireNonNull(calls.get(call));
  }

  /** Also used where this part does not run and its cursor is left off. */
  static Counter skipped(Meters meters) {
    return meters.counter(
        "gilmok_deliveries_skipped_records_total",
        "Records of a full log that were deleted before they were searched for actions.");
  }

  void told(long millis) {
    published.increment();
    publishedSeconds.record(Math.max(0, millis) * 1_000_000);
  }
}
