package gilmok.missions;

import gilmok.event.JsonBuffer;
import gilmok.retention.OldDocument;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.zip.CRC32C;

/**
 * What is archived of a mission that ended long ago: a rider's progress in it, or the mission
 * itself, of which no progress is left. Immutable.
 *
 * @param riderId whose progress it is; empty for the mission itself, as no rider's id is
 * @param progress how far the rider has come; of the mission itself, it as it was put
 * @param endMillis when the mission ended, epoch ms
 */
public record OldMission(String riderId, MissionStore.Progress progress, long endMillis)
    implements OldDocument {
  /** The mission itself. */
  static OldMission itself(MissionStore.Kept mission, long endMillis) {
    return new OldMission(
        "", new MissionStore.Progress(mission.id(), mission.json(), 0, 0), endMillis);
  }

  /** Whether it is the mission itself. */
  public boolean isMission() {
    return riderId.isEmpty();
  }

  @Override
  public String id() {
    return riderId + "/" + progress.missionId();
  }

  /** Of progress its version, and whether it is settled; of a mission a checksum. */
  @Override
  public long revision() {
    return isMission() ? revision(progress.json()) : revision(progress);
  }

  /** A progress as it is now. */
  static long revision(MissionStore.Progress progress) {
    return progress.version() << 1 | (progress.settledAt() == 0 ? 0 : 1);
  }

  /** A mission as it is now. */
  static long revision(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length);
    return sum.getValue() << 24 | bytes.length;
  }

  @Override
  public long sinceMillis() {
    return endMillis;
  }

  /** The UTC day on which the mission ended. */
  @Override
  public String label() {
    return Instant.ofEpochMilli(endMillis).atOffset(ZoneOffset.UTC).toLocalDate().toString();
  }

  /** The progress, or the mission, as an export has it. */
  public JsonBuffer record() {
    JsonBuffer out = new JsonBuffer();
    if (isMission()) {
      byte[] json = progress.json().getBytes(StandardCharsets.UTF_8);
      return out.raw(json, 0, json.length);
    }
    ProgressRecord.write(new MissionStore.RiderProgress(riderId, progress), out);
    return out;
  }
}
