package gilmok.lab.statements;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replays to the real driver, which itself refuses an answer to another request. */
@Tag("server")
class MongoReplayTest {
  private static final int DOCUMENTS = 7;

  private StubDatabase database;
  private MongoReplay replay;
  private MongoClient client;

  @BeforeEach
  void start() throws IOException {
    database = new StubDatabase(DOCUMENTS);
    replay = new MongoReplay(0, database.port());
    client = client();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    replay.close();
    database.close();
  }

  @Test
  void find_again_isAnsweredWithoutTheDatabase() {
    List<Document> first = read(client, 0);
    List<Document> again = read(client, 0);
    assertThat(first).hasSize(DOCUMENTS);
    assertThat(again).isEqualTo(first);
    assertThat(database.asked()).containsExactly("find");
    assertThat(replay.replayed()).isEqualTo(1);
  }

  @Test
  void find_ofAnotherSession_isTheSame() {
    List<Document> first = read(client, 0);
    try (MongoClient other = client()) {
      assertThat(read(other, 0)).isEqualTo(first);
    }
    assertThat(database.asked()).containsExactly("find");
  }

  @Test
  void find_another_isAsked() {
    read(client, 0);
    collection(client).find(new Document("riderId", "r-2")).into(new ArrayList<>());
    assertThat(database.asked()).containsExactly("find", "find");
  }

  @Test
  void getMore_ofACursorWithTheSameNumber_goesOn() {
    // Batches of 2: one find and three getMore, all with the same cursor number in the database.
    List<Document> first = read(client, 2);
    List<Document> again = read(client, 2);
    assertThat(first).extracting(entry -> entry.getInteger("_id")).containsExactly(ids());
    assertThat(again).isEqualTo(first);
    assertThat(database.asked()).containsExactly("find", "getMore", "getMore", "getMore");
    assertThat(replay.replayed()).isEqualTo(4);
  }

  @Test
  void insert_hasWhatWasReadForgotten() {
    read(client, 0);
    collection(client).insertOne(new Document("_id", "new"));
    assertThat(read(client, 0)).hasSize(DOCUMENTS + 1);
    assertThat(database.asked()).containsExactly("find", "insert", "find");
  }

  @Test
  void insert_ofAnotherCollection_forgetsNothing() {
    read(client, 0);
    client.getDatabase("test").getCollection("others").insertOne(new Document("_id", "new"));
    read(client, 0);
    assertThat(database.asked()).containsExactly("find", "insert");
  }

  @Test
  void key_sessionAndClock_areLeftOut() {
    MongoMessage one = find(1, new Document("id", "s-1"), 100);
    MongoMessage other = find(2, new Document("id", "s-2"), 200);
    assertThat(one.key()).isEqualTo(other.key());
    Document command = new Document("find", "entries").append("$db", "another");
    assertThat(new MongoMessage(StubDatabase.message(3, command)).key()).isNotEqualTo(one.key());
  }

  @Test
  void keep_writtenToMeanwhile_isNotKept() {
    Recordings recordings = new Recordings(10, 1_000);
    MongoMessage.Key key = find(1, new Document(), 1).key();
    long writes = recordings.writes("test.entries");
    recordings.forget("test.entries");
    recordings.keep(key, "test.entries", writes, new byte[20]);
    assertThat(recordings.find(key)).isNull();
  }

  @Test
  void keep_overItsBound_isNotKept() {
    Recordings recordings = new Recordings(10, 100);
    MongoMessage.Key key = find(1, new Document(), 1).key();
    recordings.keep(key, "test.entries", 0, new byte[101]);
    assertThat(recordings.find(key)).isNull();
    assertThat(recordings.size()).isZero();
  }

  private static MongoMessage find(int id, Document session, int millis) {
    return new MongoMessage(
        StubDatabase.message(
            id,
            new Document("find", "entries")
                .append("filter", new Document("riderId", "r-1"))
                .append("maxTimeMS", millis)
                .append("$db", "test")
                .append("$clusterTime", new Document("at", id))
                .append("lsid", session)));
  }

  private MongoClient client() {
    return MongoClients.create("mongodb://127.0.0.1:" + replay.port() + "/?directConnection=true");
  }

  private static MongoCollection<Document> collection(MongoClient client) {
    return client.getDatabase("test").getCollection("entries");
  }

  private static List<Document> read(MongoClient client, int batch) {
    return collection(client)
        .find(new Document("riderId", "r-1"))
        .batchSize(batch)
        .into(new ArrayList<>());
  }

  private static Integer[] ids() {
    Integer[] ids = new Integer[DOCUMENTS];
    for (int i = 0; i < DOCUMENTS; i++) {
      ids[i] = i;
    }
    return ids;
  }
}
