package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.RiderAlias;
import gilmok.retention.DocumentRemoval.Page;
import gilmok.retention.MongoRemovalPlans;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, over MongoDB. */
@Tag("engine")
final class MongoEntryRemovalIT extends EntryRemovalContract {
  private MongoEntryRig rig;
  private EntryStore store;

  @BeforeEach
  void open() throws Exception {
    rig = new MongoEntryRig();
    store = new MongoEntries(rig.documents());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Override
  EntryStore store() {
    return store;
  }

  @Override
  EntryRemoval removal() {
    return new MongoEntryRemoval(rig.documents());
  }

  @Override
  long rename(RiderAlias alias) throws Exception {
    return new MongoEntryErasure(rig.documents()).rename(alias);
  }

  @Test
  void oneThatCannotBeRead_isCountedAndPassed() throws Exception {
    StatementEntry good = entry("b", "r", BEGIN);
    rig.collection().insertOne(new Document("_id", "a").append("riderId", "r").append("at", BEGIN));
    store.add(List.of(good));
    Page<StatementEntry> page = removal().page("", BEGIN + 9 * DAY, 1);
    assertThat(page.rows()).containsExactly(good);
    assertThat(page.unreadable()).isOne();
  }

  @Test
  void eachKind_hasALeaseOfItsOwn() throws Exception {
    assertThat(removal().plans().lead("n1", 0, 60_000)).isTrue();
    assertThat(removal().plans().lead("n2", 59_999, 120_000)).isFalse();
    assertThat(new MongoRemovalPlans(rig.documents(), "deliveries").lead("n2", 0, 60_000)).isTrue();
  }
}
