package gilmok.missions;

import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;

/** A rider's progress as JSON, as {@code GET /v1/exports/mission-progress} has it. Stateless. */
final class ProgressRecord {
  private ProgressRecord() {}

  static void write(MissionStore.RiderProgress one, JsonBuffer out) {
    out.ascii("{\"riderId\":").string(one.riderId());
    out.ascii(",\"missionId\":").string(one.progress().missionId());
    byte[] json = one.progress().json().getBytes(StandardCharsets.UTF_8);
    out.ascii(",\"progress\":").raw(json, 0, json.length);
    if (one.progress().settledAt() != 0) {
      out.ascii(",\"settledAt\":").time(one.progress().settledAt());
    }
    out.put('}');
  }
}
