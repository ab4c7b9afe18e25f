package gilmok.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, over MongoDB; and how several nodes meet in it. */
@Tag("engine")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class MongoErasuresIT extends ErasureStoreContract {
  private static final String ID = "0000000000000001";

  private final Meters meters = new Meters();
  private MongoServer server;
  private String database;
  private MongoDocuments documents;

  @BeforeEach
  void open() throws Exception {
    server = MongoServer.any();
    database = server.newDatabase();
    documents = new MongoDocuments(server.config(database, Map.of()), meters);
  }

  @AfterEach
  void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }

  @Override
  ErasureStore of(String node) {
    return new MongoErasures(documents, node);
  }

  @Test
  void everyNodeThatWasEverStarted_isWaitedFor_andTheRiderIsKnownUntilThen() throws Exception {
    ErasureStore first = of(NODE);
    ErasureStore second = of("n2");
    assertThat(first.open()).isEmpty();
    assertThat(second.open()).isEmpty();
    first.add(asked(ID, 5));
    assertThat(found(second, ID).nodes()).containsOnlyKeys(NODE, "n2");

    Erasure own = found(first, ID);
    first.save(own.with(NODE, did().ended(70)));
    Erasure half = found(second, ID);
    assertThat(half.riderId()).isNotNull();
    assertThat(half.state()).isEqualTo("running");
    assertThat(half.of(NODE).isDone()).isTrue();
    assertThat(second.open()).hasSize(1);

    // What the second node knows of the first is older than what is stored.
    second.save(own.with("n2", did().ended(80)));
    Erasure done = found(first, ID);
    assertThat(done.state()).isEqualTo("done");
    assertThat(done.of(NODE)).isEqualTo(did().ended(70));
    assertThat(done.riderId()).isNull();
    assertThat(first.open()).isEmpty();
  }

  @Test
  void theLastNodeWasKilled_beforeItCouldSaySo_anotherSaveEndsIt() throws Exception {
    ErasureStore store = of(NODE);
    store.add(asked(ID, 5));
    server
        .database(database)
        .getCollection(MongoErasures.COLLECTION)
        .updateOne(
            new Document("_id", ID),
            new Document(
                "$set",
                new Document(
                    "nodes." + NODE,
                    new String(ErasureJson.bytes(did().ended(70)), StandardCharsets.UTF_8))));
    Erasure open = store.open().getFirst();
    assertThat(open.isDone()).isTrue();
    store.save(open);
    assertThat(store.open()).isEmpty();
    assertThat(found(store, ID).riderId()).isNull();
  }
}
