package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.retention.DocumentRemoval.Page;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, over MongoDB. */
@Tag("engine")
final class MongoMissionRemovalIT extends MissionRemovalContract {
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
  MissionRows rows() {
    return new MongoMissionRows(rig.documents());
  }

  @Override
  MissionRemoval removal() {
    return new MissionRemoval(new MongoMissionRows(rig.documents()));
  }

  @Test
  void progressThatCannotBeRead_isCounted_andKeepsItsMission() throws Exception {
    store.put(mission("old", 1));
    rig.database()
        .getCollection(MongoMissions.PROGRESS)
        .insertOne(new Document("_id", "a/old").append("json", 7));
    MissionRemoval removal = removal();
    int unreadable = 0;
    int found = 0;
    for (String cursor = ""; cursor != null; ) {
      Page<OldMission> page = removal.page(cursor, end(2), 10);
      unreadable += page.unreadable();
      found += page.rows().size();
      cursor = page.last();
    }
    assertThat(unreadable).isOne();
    assertThat(found).isZero();
  }

  @Test
  void anotherNode_knowsWhatIsClosed_beforeTheLookReadsAnything() throws Exception {
    store.put(mission("old", 1));
    MissionStore other = new MongoMissions(rig.documents());
    assertThat(other.closedMillis()).isEqualTo(Long.MIN_VALUE);
    MissionRemoval removal = removal();
    while ("".equals(removal.page("", end(2), 10).last())) {
      Thread.onSpinWait();
    }
    assertThat(other.putProgress("late", "old", "{}", end(1))).isNull();
  }
}
