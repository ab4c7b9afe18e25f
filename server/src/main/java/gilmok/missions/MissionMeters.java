package gilmok.missions;

import gilmok.http.Offload;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The metrics of missions. Thread-safe. */
final class MissionMeters {
  private final Map<MissionPurpose, Histogram> seconds = new EnumMap<>(MissionPurpose.class);
  private final Map<MissionPurpose, Offload.Call> calls = new EnumMap<>(MissionPurpose.class);
  final Offload.Call read;
  final Offload.Call write;
  final Counter failures;

  MissionMeters(Meters meters) {
    for (MissionPurpose purpose : MissionPurpose.values()) {
      seconds.put(
          purpose,
          meters.seconds(
              "gilmok_missions_seconds",
              "Requests answered with a rider's missions, by purpose.",
              "purpose",
              purpose.label()));
      calls.put(purpose, call(meters, false, purpose.label()));
    }
    read = call(meters, true, "read");
    write = call(meters, false, "put");
    failures =
        meters.counter(
            "gilmok_missions_store_failures_total", "Calls that the store did not answer.");
  }

  private static Offload.Call call(Meters meters, boolean isRead, String call) {
    return new Offload.Call(
        isRead,
        meters.seconds(
            "gilmok_missions_store_seconds", "Requests that ask the store itself.", "call", call));
  }

  /** The time from the handler's start to the answer. */
  Histogram seconds(MissionPurpose purpose) {
    return Objects.requireNonNull(seconds.get(purpose));
  }

  Offload.Call call(MissionPurpose purpose) {
    return Objects.requireNonNull(calls.get(purpose));
  }
}
