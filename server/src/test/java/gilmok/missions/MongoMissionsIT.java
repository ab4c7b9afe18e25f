package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.missions.MissionStore.Due;
import gilmok.missions.MissionStore.Kept;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, kept by MongoDB; and what is MongoDB's own. */
@Tag("engine")
final class MongoMissionsIT extends MissionStoreContract {
  private MongoMissionRig rig;
  private MissionStore store;

  @BeforeEach
  void open() throws Exception {
    rig = new MongoMissionRig();
    store = new MongoMissions(rig.documents());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Override
  MissionStore store() {
    return store;
  }

  @Override
  MissionStore reopened() {
    store = new MongoMissions(rig.reconnected());
    return store;
  }

  @Test
  void documents_areWhatTheDocsSay() throws Exception {
    store.put(new Kept("m03", "{\"goal\":7}"));
    store.putProgress("r-1", "m03", "{\"count\":7}");
    store.settle("r-1", List.of(new Due("m03", 1)), 5);
    store.putProfile("r-1", "{\"level\":2}");
    assertThat(rig.database().getCollection("missions").find())
        .containsExactlyInAnyOrder(
            new Document("_id", "m03").append("json", "{\"goal\":7}"),
            new Document("_id", "/changes").append("count", 1L));
    assertThat(rig.database().getCollection("mission_progress").find())
        .containsExactly(
            new Document("_id", "r-1/m03")
                .append("json", "{\"count\":7}")
                .append("version", 1L)
                .append("settledAt", 5L));
    assertThat(rig.database().getCollection("profiles").find())
        .containsExactly(new Document("_id", "r-1").append("json", "{\"level\":2}"));
  }

  @Test
  void questions_useTheIdAlone() throws Exception {
    for (String mission : List.of("a", "b", "c")) {
      store.putProgress("r-1", mission, "{}");
    }
    usesTheId(MongoMissions.those("r-1", List.of("a", "b")));
  }

  private void usesTheId(RawBsonDocument filter) {
    String plan =
        rig.database()
            .getCollection(MongoMissions.PROGRESS)
            .find(filter)
            .explain(BsonDocument.class)
            .toJson();
    assertThat(plan).contains("\"indexName\": \"_id_\"").doesNotContain("COLLSCAN");
  }
}
