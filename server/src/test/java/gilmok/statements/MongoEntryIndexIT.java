package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import gilmok.documents.MongoBson;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoOutage;
import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import gilmok.event.DayRange;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What only MongoDB has: index, documents, answers that are full, outages. */
@Tag("engine")
final class MongoEntryIndexIT {
  private static final DayRange DAYS =
      DayRange.of(LocalDate.parse("2026-03-01"), LocalDate.parse("2026-03-02"), ZoneOffset.UTC);
  private static final long BEGIN = DAYS.fromMillis();

  private MongoEntryRig rig;
  private MongoEntries entries;
  private MongoCollection<Document> collection;

  @BeforeEach
  void open() throws Exception {
    rig = new MongoEntryRig();
    entries = new MongoEntries(rig.documents());
    collection = rig.collection();
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private static StatementEntry entry(String id, long atMillis, long amount) {
    return new StatementEntry(id, "r-1", atMillis, EntryKind.FEE, amount, "KRW", null, 0);
  }

  @Test
  void openedAgain_findsItsIndex_andNoneOfAnotherShape() throws Exception {
    assertThat(rig.indexes().look()).isEmpty();
    List<String> names = new ArrayList<>();
    collection.listIndexes().forEach(index -> names.add(index.getString("name")));
    assertThat(names).containsExactlyInAnyOrder("_id_", "statement");
    collection.dropIndex("statement");
    collection.createIndex(new Document("riderId", 1), new IndexOptions().name("statement"));
    assertThat(rig.indexes().look())
        .singleElement(STRING)
        .contains("the index statement of statement_entries is {riderId=1}");
  }

  @Test
  void document_isWhatTheDocsSay_alsoWithoutADistance() throws Exception {
    entries.add(List.of(entry("e-1", BEGIN, 3_000)));
    Document found = collection.find().first();
    assertThat(found)
        .isEqualTo(
            new Document("_id", "e-1")
                .append("riderId", "r-1")
                .append("at", BEGIN)
                .append("kind", "fee")
                .append("amount", 3_000L)
                .append("distance", 0L)
                .append("currency", "KRW"));
  }

  @Test
  void questions_useTheIndex() throws Exception {
    entries.add(List.of(entry("e-1", BEGIN, 3_000), entry("e-2", BEGIN, 3_000)));
    BsonDocument command = MongoEntries.statement("r-1", BEGIN, DAYS.untilMillis(), 10);
    uses("statement", collection.find(command.getDocument("filter")));
    Bson range = MongoEntries.range("r-1", BEGIN, DAYS.untilMillis());
    uses("statement", collection.find(range).sort(new Document("at", 1).append("_id", 1)));
    Bson rest = MongoEntries.rest("r-1", BEGIN, "e-1");
    uses("statement", collection.find(rest).sort(new Document("at", 1).append("_id", 1)));
    uses("_id_", collection.find(MongoBson.byIds(List.of("e-1", "e-2"))));
  }

  private static void uses(String index, FindIterable<Document> question) {
    String plan = question.explain(BsonDocument.class).toJson();
    assertThat(plan).contains("\"indexName\": \"" + index + "\"").doesNotContain("COLLSCAN");
  }

  @Test
  void moreThanAnAnswerHolds_isSummedOverSeveral() throws Exception {
    List<StatementEntry> some = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      some.add(entry("e-" + i, BEGIN + i / 3 * 10_000_000L % 150_000_000, 1L << (i % 40)));
    }
    entries.add(some);
    String all = Bsons.text(entries.sum("r-1", DAYS, "KRW"));
    assertThat(all).contains("0: ", "1: ");
    for (int batch : new int[] {13, 17, 25, 49, 50, 51}) {
      MongoEntries small = new MongoEntries(rig.documents(), batch);
      assertThat(Bsons.text(small.sum("r-1", DAYS, "KRW"))).as("%s at once", batch).isEqualTo(all);
    }
  }

  @Test
  void moreOfAMillisecondThanAnAnswerHolds_isToldAndNotSummedWrong() throws Exception {
    entries.add(List.of(entry("a", BEGIN, 1), entry("b", BEGIN, 1), entry("c", BEGIN, 1)));
    MongoEntries small = new MongoEntries(rig.documents(), 3);
    assertThatThrownBy(() -> small.sum("r-1", DAYS, "KRW"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("3 entries of one rider and millisecond");
  }

  @Test
  void whatOthersHaveWrittenThere_isRefusedWithItsPlace() throws Exception {
    collection.insertOne(
        new Document("_id", "x").append("riderId", "r-1").append("at", BEGIN).append("amount", 1));
    assertThatThrownBy(() -> entries.sum("r-1", DAYS, "KRW"))
        .isInstanceOf(DamagedBson.class)
        .hasMessageContaining("at byte");
  }

  @Test
  void databaseThatIsGone_isAnOutage_andTheSameAgainMendsIt() throws Exception {
    MongoServer server = MongoServer.any();
    String database = server.newDatabase();
    try (MongoWire wire = MongoWire.to(server);
        Meters meters = new Meters();
        MongoDocuments documents =
            new MongoDocuments(
                server.config(
                    database,
                    Map.of(
                        "documents.mongo-uri",
                        "mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true",
                        "documents.mongo-timeout",
                        "2 s")),
                meters)) {
      MongoEntries over = new MongoEntries(documents);
      documents.ping(); // opens a connection
      wire.hold();
      FutureTask<DaySums> underWay = new FutureTask<>(() -> over.sum("r-1", DAYS, "KRW"));
      Thread.ofVirtual().start(underWay);
      while (!isUnderWay(meters)) {
        Thread.onSpinWait();
      }
      wire.cut();
      wire.mend();
      wire.release();
      assertThat(underWay.get().days()).as("asked once more").isEqualTo(2);
      wire.hold();
      assertThatThrownBy(() -> over.sum("r-1", DAYS, "KRW")).isInstanceOf(MongoOutage.class);
      List<StatementEntry> some = List.of(entry("e-1", BEGIN, 7), entry("e-2", BEGIN, 7));
      assertThatThrownBy(() -> over.add(some)).isInstanceOf(MongoOutage.class);
      wire.release();
      wire.cut();
      assertThatThrownBy(() -> over.page("r-1", 0, BEGIN + 1, null, 1))
          .isInstanceOf(MongoOutage.class);
      wire.mend();
      DaySums sums = againUntilItAnswers(over, some);
      assertThat(sums.count(0)).isEqualTo(2);
      assertThat(sums.fee(0)).isEqualTo(14);
    } finally {
      server.drop(database);
    }
  }

  private static boolean isUnderWay(Meters meters) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .contains("gilmok_documents_mongo_connections_used 1.0");
  }

  private static DaySums againUntilItAnswers(MongoEntries over, List<StatementEntry> some)
      throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (true) {
      try {
        EntryStore.Added added = over.add(some);
        assertThat(added.accepted() + added.duplicates()).isEqualTo(2);
        assertThat(added.differing()).isEmpty();
        return over.sum("r-1", DAYS, "KRW");
      } catch (MongoOutage away) {
        if (System.nanoTime() > end) {
          throw away;
        }
      }
    }
  }
}
