package gilmok.auth;

import static gilmok.auth.KeyFolder.made;
import static gilmok.auth.KeyFolder.named;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, over MongoDB; and when a node sees the changes of another. */
@Tag("engine")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class MongoKeysIT extends KeyStoreContract {
  private final Meters meters = new Meters();
  private MongoServer server;
  private String database;
  private MongoDocuments documents;

  @Override
  KeyStore open() throws IOException, InterruptedException {
    server = MongoServer.any();
    database = server.newDatabase();
    documents = new MongoDocuments(server.config(database, Map.of()), meters);
    return new MongoKeys(documents);
  }

  @Override
  void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }

  @Test
  void refresh_afterAnotherNodesChange_seesIt() throws Exception {
    Keys here = keys("here");
    Keys there = keys("there");
    String key = made(here, named("app", Scope.READ)).key();
    assertThat(there.check(key, null, null)).isEqualTo(Denial.UNKNOWN);

    there.refresh();
    assertThat(there.check(key, null, null)).isInstanceOf(Principal.class);

    String id = there.list().getLast().id();
    assertThat(there.revoke(id)).isTrue();
    here.refresh();
    assertThat(here.check(key, null, null)).isEqualTo(Denial.UNKNOWN);
    assertThat(here.revoke(id)).isFalse();
  }

  @Test
  void create_whatAnotherNodeMade_countsForTheBounds() throws Exception {
    Keys here = keys("here");
    Keys there = keys("there");
    made(here, named("app", Scope.READ));
    made(there, named("app", Scope.READ));

    assertThat(here.create(named("app", Scope.READ))).isInstanceOf(KeyResult.Conflict.class);
  }

  @Test
  void refresh_aKeyThatIsBeingUsed_keepsCountingItsRate() throws Exception {
    Keys here = keys("here");
    Keys there = keys("there");
    String key = made(here, new KeyRequest("slow", Set.of(Scope.READ), null, null, 1)).key();
    assertThat(here.check(key, null, null)).isInstanceOf(Principal.class);
    made(there, named("other", Scope.READ));

    here.refresh();

    assertThat(here.list()).hasSize(3);
    assertThat(here.check(key, null, null)).isEqualTo(Denial.TOO_FAST);
  }

  @Test
  void refresh_idOrCountOfAnotherKind_keepsNothingBack() throws Exception {
    Keys here = keys("here");
    Keys there = keys("there");
    here.revoke(here.list().getFirst().id());
    var collection = server.database(database).getCollection("keys");
    collection.insertOne(new org.bson.Document("_id", 7).append("name", "x"));
    collection.updateOne(
        new org.bson.Document("_id", "#changes"),
        new org.bson.Document("$set", new org.bson.Document("count", "many")));

    there.refresh();

    assertThat(there.list()).isEmpty();
    assertThat(there.damaged()).isEqualTo(1);
  }

  @Test
  void reload_changeThatWasNotCounted_isSeen() throws Exception {
    Keys here = keys("here");
    server.database(database).getCollection("keys").deleteMany(new org.bson.Document());

    here.reload();

    assertThat(here.list()).isEmpty();
  }
}
