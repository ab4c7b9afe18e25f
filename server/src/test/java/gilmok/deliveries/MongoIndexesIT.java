package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import gilmok.deliveries.DeliveryStore.Filter;
import gilmok.deliveries.Outbox.Reader;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The indexes are there, are those that the questions use, and are not taken for others. */
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

  private void openAgain() throws Exception {
    try (Meters meters = new Meters()) {
      MongoDeliveries.open(rig.documents(), day, new UnreadableDeliveries(meters, day));
    }
  }

  @Test
  void openedAgain_findsThemAsTheyAre() throws Exception {
    List<String> names = names();
    openAgain();
    MongoPartners.open(rig.documents());
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

  @Test
  void sameNameOtherShape_doesNotStartAndSaysWhich() {
    deliveries.dropIndex("shop_order");
    deliveries.createIndex(new Document("shopId", 1), new IndexOptions().name("shop_order"));
    assertThatThrownBy(this::openAgain)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the index shop_order of deliveries is {shopId=1} and has to be")
        .hasMessageContaining("{shopId=1, orderId=1} unique")
        .hasMessageContaining("drop it");
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
    uses("due_log", MongoOutbox.dueFilter(Reader.LOG, Shards.of(3), -now, now));
    uses("due_shop", MongoOutbox.dueFilter(Reader.SHOP, Shards.of(3), -now, now));
    uses("due_agency", MongoOutbox.dueFilter(Reader.AGENCY, Shards.of(3), -now, now));
  }

  @Test
  void whatIsTold_isNotInTheIndexOfWhatIsDue() throws Exception {
    Delivery first = day.created(rig.deliveries(), day.delivery());
    Document told = new Document("_id", first.id()).append("out.log.due", new Document("$gt", 0));
    assertThat(deliveries.countDocuments(told)).isEqualTo(1);
    rig.outbox().told(List.of(new Outbox.Told(first.id(), Reader.LOG, 1)));
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
