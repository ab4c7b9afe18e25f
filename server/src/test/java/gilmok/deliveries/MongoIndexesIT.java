package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import gilmok.deliveries.DeliveryStore.Filter;
import gilmok.documents.MongoConfig.IndexMode;
import gilmok.documents.MongoIndexes;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The indexes exist, are the ones that queries use, and are not mistaken for others. */
@Tag("engine")
final class MongoIndexesIT {
  private final Day day = new Day();
  private MongoRig rig;
  private MongoCollection<Document> deliveries;

  @BeforeEach
  void open() throws Exception {
    rig = MongoRig.open(day);
    deliveries = rig.database().getCollection("deliveries");
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void openedAgain_findsThemAsTheyAre() throws Exception {
    List<String> names = names();
    assertThat(look(IndexMode.WHERE_EMPTY)).isEmpty();
    assertThat(names())
        .isEqualTo(names)
        .containsExactlyInAnyOrder(
            "_id_",
            "shop_order",
            "shop",
            "rider",
            "agency",
            "status",
            "due_log",
            "due_shop",
            "due_agency");
    Document expiry = new Document();
    rig.database().getCollection("claims").listIndexes().forEach(expiry::putAll);
    assertThat(expiry.toJson()).contains("\"expireAfterSeconds\": " + MongoClaim.KEEP_SECONDS);
  }

  private List<String> look(IndexMode mode) throws Exception {
    return rig.indexes(mode).look();
  }

  @Test
  void sameNameOtherShape_isNamed_andLeftAsItIs() throws Exception {
    deliveries.dropIndex("shop_order");
    deliveries.createIndex(new Document("shopId", 1), new IndexOptions().name("shop_order"));
    for (IndexMode mode : List.of(IndexMode.WHERE_EMPTY, IndexMode.CREATE, IndexMode.CHECK)) {
      assertThat(look(mode))
          .singleElement(STRING)
          .contains("the index shop_order of deliveries is {shopId=1} and has to be")
          .contains("{shopId=1, orderId=1} unique")
          .contains("drop it");
    }
    assertThat(look(IndexMode.OFF)).isEmpty();
    assertThat(names()).contains("shop_order");
  }

  @Test
  void missingOfACollectionThatIsEmpty_isMade_unlessOnlyLookedFor() throws Exception {
    deliveries.dropIndex("rider");
    assertThat(look(IndexMode.OFF)).isEmpty();
    assertThat(look(IndexMode.CHECK))
        .containsExactly(
            "MongoDB: the index rider of deliveries is not there; \"gilmok indexes show\" gives"
                + " the command that makes it");
    assertThat(names()).doesNotContain("rider");
    assertThat(look(IndexMode.WHERE_EMPTY)).isEmpty();
    assertThat(names()).contains("rider");
  }

  @Test
  void missingOfACollectionWithDocuments_isOnlyNamed_unlessItIsToBeMade() throws Exception {
    for (int i = 0; i < 20; i++) {
      day.pass(1);
      day.created(rig.deliveries(), day.delivery());
    }
    deliveries.dropIndex("rider");
    deliveries.dropIndex("status");
    assertThat(look(IndexMode.WHERE_EMPTY)).hasSize(2);
    assertThat(names()).doesNotContain("rider", "status");

    MongoIndexes indexes = rig.indexes(IndexMode.CREATE);
    List<String> first = indexes.look();
    assertThat(first)
        .singleElement(STRING)
        .startsWith("MongoDB: rider, status of deliveries are being made for 0 s");
    long end = System.nanoTime() + 60_000_000_000L;
    while (!indexes.look().isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(end);
    }
    assertThat(names()).contains("rider", "status");
    uses("rider", which(new Filter(null, "rider-1", null, null, null, null)));
  }

  @Test
  void oneThatCannotBeMade_isNamedWithTheReason() throws Exception {
    deliveries.dropIndex("shop_order");
    deliveries.insertOne(new Document("_id", "a").append("shopId", "s").append("orderId", "o"));
    deliveries.insertOne(new Document("_id", "b").append("shopId", "s").append("orderId", "o"));
    MongoIndexes indexes = rig.indexes(IndexMode.CREATE);
    long end = System.nanoTime() + 60_000_000_000L;
    List<String> lines = indexes.look();
    while (lines.getFirst().contains("being made")) {
      assertThat(System.nanoTime()).isLessThan(end);
      lines = indexes.look();
    }
    assertThat(lines.getFirst()).startsWith("MongoDB: ").containsIgnoringCase("dup");
    assertThat(lines.getLast()).contains("the index shop_order of deliveries is not there");
  }

  @Test
  void commands_makeThem() throws Exception {
    List<String> commands = MongoIndexes.commands("fleet", MongoDeliveries.indexes());
    assertThat(commands.getFirst()).isEqualTo("db = db.getSiblingDB(\"fleet\");");
    assertThat(commands).hasSize(3);
    rig.database().drop();
    for (String command : commands.subList(1, 3)) {
      assertThat(command).startsWith("db.runCommand({\"createIndexes\": ").endsWith(");");
      String json = command.substring("db.runCommand(".length(), command.length() - 2);
      rig.database().runCommand(Document.parse(json));
    }
    assertThat(look(IndexMode.CHECK)).isEmpty();
  }

  @Test
  void questions_useThem() throws Exception {
    for (int i = 0; i < 20; i++) {
      day.pass(1);
      day.created(rig.deliveries(), day.delivery());
    }
    uses("_id_", new Document("_id", "x"));
    uses("shop_order", new Document("shopId", "s").append("orderId", "o"));
    uses("shop", which(new Filter(null, null, "shop-1", null, null, null)));
    uses("shop", which(new Filter(null, null, "shop-1", null, Day.BEGIN, Day.BEGIN + 10)));
    uses("rider", which(new Filter(null, "rider-1", null, null, null, null)));
    uses("agency", which(new Filter(null, null, null, "agency-1", null, null)));
    uses("status", which(new Filter(Status.NEW, null, null, null, null, null)));
    long now = day.millis();
    uses("due_log", MongoOutboxFields.dueFilter(OutboxReader.LOG, Shards.of(3), -now, now));
    uses("due_shop", MongoOutboxFields.dueFilter(OutboxReader.SHOP, Shards.of(3), -now, now));
    uses("due_agency", MongoOutboxFields.dueFilter(OutboxReader.AGENCY, Shards.of(3), -now, now));
  }

  @Test
  void whatIsTold_isNotInTheIndexOfWhatIsDue() throws Exception {
    Delivery first = day.created(rig.deliveries(), day.delivery());
    Document told = new Document("_id", first.id()).append("out.log.due", new Document("$gt", 0));
    assertThat(deliveries.countDocuments(told)).isEqualTo(1);
    rig.outbox().told(List.of(new Outbox.Told(first.id(), OutboxReader.LOG, 1)));
    assertThat(deliveries.countDocuments(told)).isZero();
  }

  private static Bson which(Filter filter) {
    return MongoDeliveries.which(filter, null);
  }

  private void uses(String index, Bson filter) {
    String plan = deliveries.find(filter).explain(BsonDocument.class).toJson();
    assertThat(plan).contains("\"indexName\": \"" + index + "\"").doesNotContain("COLLSCAN");
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    deliveries.listIndexes().forEach(index -> names.add(index.getString("name")));
    return names;
  }
}
