package gilmok.missions;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import gilmok.transfer.Dataset;
import gilmok.transfer.DatasetPage;
import gilmok.transfer.ReadBatch;
import gilmok.transfer.RecordBatch;
import gilmok.transfer.StoredTally;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What missions keep: the missions, riders' progress in them, riders' profiles. Thread-safe. */
final class MissionDatasets {
  private static final int RIDER_CHARS_MAX = 128;
  private static final int MISSION_CHARS_MAX = 64;
  private static final int PROFILE_BYTES_MAX = 16 << 10;

  private MissionDatasets() {}

  /** All three, in the order in which they are brought: progress needs its mission. */
  static List<Dataset> of(MissionService service) {
    return List.of(new OfMissions(service), new OfProgress(service), new OfProfiles(service));
  }

  /** The missions, each as it was put, with its id. */
  private record OfMissions(MissionService service) implements Dataset {
    /** Missions that name many riders are large. */
    private static final int PAGE_MAX = 20;

    @Override
    public String name() {
      return "missions";
    }

    @Override
    public DatasetPage page(String cursor, int limit) throws IOException, InterruptedException {
      int most = Math.min(limit, PAGE_MAX);
      return DatasetPage.of(
          service.after(cursor, most + 1), most, MissionDatasets::write, Mission::id);
    }

    @Override
    public RecordBatch batch(String keyId) {
      return new ReadBatch<Mission>(MissionDatasets::mission, this::store);
    }

    private RecordBatch.Stored store(List<Mission> missions)
        throws IOException, InterruptedException {
      StoredTally<Mission> tally = new StoredTally<>(MissionDatasets::write);
      for (Mission mission : missions) {
        Mission there = service.find(mission.id());
        Catalog.Put put = there == null ? service.catalog().put(mission) : Catalog.Put.DONE;
        if (put == Catalog.Put.DONE) {
          tally.count(mission, mission.id(), there);
        } else {
          tally.reject(put.field(), put.reason());
        }
      }
      return tally.stored();
    }
  }

  /** What riders have done of missions, settled or not. */
  private record OfProgress(MissionService service) implements Dataset {
    @Override
    public String name() {
      return "mission-progress";
    }

    @Override
    public DatasetPage page(String cursor, int limit) throws IOException, InterruptedException {
      int most = Math.min(limit, MissionStore.MISSIONS_MAX - 1);
      return DatasetPage.of(
          service.store().progressAfter(cursor, most + 1),
          most,
          ProgressRecord::write,
          MissionStore.RiderProgress::cursor);
    }

    @Override
    public RecordBatch batch(String keyId) {
      return new ReadBatch<MissionStore.RiderProgress>(this::read, this::store);
    }

    private MissionStore.@Nullable RiderProgress read(
        JsonDocument document, int value, Fields fields) throws IOException, InterruptedException {
      fields.only(value, "", Set.of("riderId", "missionId", "progress", "settledAt"));
      String rider = fields.need(value, "", "riderId", RIDER_CHARS_MAX);
      String mission = fields.need(value, "", "missionId", MISSION_CHARS_MAX);
      String json = object(document, value, fields, "progress", MissionService.PROGRESS_BYTES_MAX);
      if (fields.isGood()
          && document.member(document.member(value, "progress"), "settledAt")
              != JsonDocument.NONE) {
        fields.wrong("progress.settledAt", "stands beside progress, not in it");
      }
      Long settledAt = fields.time(value, "", "settledAt");
      Mission of = fields.isGood() ? service.find(mission) : null;
      if (fields.isGood() && of == null) {
        fields.wrong("missionId", "there is no such mission; bring missions first");
      } else if (of != null && service.isClosed(of)) {
        fields.wrong("missionId", ClosedMissions.REASON);
      }
      return new MissionStore.RiderProgress(
          rider, new MissionStore.Progress(mission, json, 1, settledAt == null ? 0 : settledAt));
    }

    private RecordBatch.Stored store(List<MissionStore.RiderProgress> past)
        throws IOException, InterruptedException {
      List<Optional<MissionStore.RiderProgress>> there;
      try {
        there = service.store().restore(past, service.firstEnd(past));
      } finally {
        past.forEach(one -> service.riders().forget(one.riderId()));
      }
      if (there == null) { // read does not let it through again
        throw new IOException("a mission was closed meanwhile; bring the rest again");
      }
      return StoredTally.of(past, there, ProgressRecord::write, MissionStore.RiderProgress::cursor);
    }
  }

  /** What is kept of riders. */
  private record OfProfiles(MissionService service) implements Dataset {
    @Override
    public String name() {
      return "profiles";
    }

    @Override
    public DatasetPage page(String cursor, int limit) throws IOException, InterruptedException {
      int most = Math.min(limit, MissionStore.MISSIONS_MAX - 1);
      return DatasetPage.of(
          service.store().profilesAfter(cursor, most + 1),
          most,
          MissionDatasets::write,
          MissionStore.Profile::riderId);
    }

    @Override
    public RecordBatch batch(String keyId) {
      return new ReadBatch<MissionStore.Profile>(
          MissionDatasets::profile,
          past ->
              StoredTally.of(
                  past,
                  service.store().restoreProfiles(past),
                  MissionDatasets::write,
                  MissionStore.Profile::riderId));
    }
  }

  private static void write(Mission mission, JsonBuffer out) {
    byte[] whole = mission.whole();
    out.raw(whole, 0, whole.length);
  }

  private static void write(MissionStore.Profile one, JsonBuffer out) {
    out.ascii("{\"riderId\":").string(one.riderId());
    raw(",\"profile\":", one.json(), out);
    out.put('}');
  }

  private static void raw(String name, String json, JsonBuffer out) {
    byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
    out.ascii(name).raw(utf8, 0, utf8.length);
  }

  private static @Nullable Mission mission(JsonDocument document, int value, Fields fields) {
    String id = fields.need(value, "", "id", MISSION_CHARS_MAX);
    if (!fields.isGood()) {
      return null;
    }
    JsonBuffer copy = new JsonBuffer();
    document.copy(value, copy);
    return new MissionBody().mission(id, copy.bytes(), copy.size(), fields);
  }

  private static MissionStore.@Nullable Profile profile(
      JsonDocument document, int value, Fields fields) {
    fields.only(value, "", Set.of("riderId", "profile"));
    String rider = fields.need(value, "", "riderId", RIDER_CHARS_MAX);
    return new MissionStore.Profile(
        rider, object(document, value, fields, "profile", PROFILE_BYTES_MAX));
  }

  private static String object(
      JsonDocument document, int value, Fields fields, String name, int bytesMax) {
    int object = fields.object(value, name);
    String fault = document.fault(object);
    JsonBuffer copy = new JsonBuffer();
    if (object == JsonDocument.NONE) {
      fields.wrong(name, Reason.MISSING);
    } else if (fault != null) {
      fields.wrong(name, fault);
    } else {
      document.copy(object, copy);
      if (copy.size() > bytesMax) {
        fields.wrong(name, "over " + bytesMax + " bytes");
      }
    }
    return copy.toString();
  }
}
