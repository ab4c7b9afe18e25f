package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import gilmok.cli.Commands;
import gilmok.documents.MongoServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.BsonNull;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The import of another system's MongoDB collections. */
@Tag("engine")
final class ImportMongoIT {
  private static final String ORDERS =
      """
      into: deliveries
      fields:
        orderId: /_id
        shopId: /store/code
        status: { from: /state, values: { done: COMPLETED, void: CANCELLED } }
        riderId: /courier
        pickup.lat: /store/at/1
        pickup.lon: /store/at/0
        pickup.address: { constant: "-" }
        dropoff.lat: /to/1
        dropoff.lon: /to/0
        dropoff.address: /address
        fee: { from: /fee, factor: 100 }
        currency: { constant: USD }
        createdAt: /created
        pickedUpAt: /picked
        completedAt: /done
        endedAt: /ended
      """;
  private static final String NOWHERE = "mongodb://127.0.0.1:9/orders?serverSelectionTimeoutMS=300";

  @TempDir Path data;
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private MongoServer mongo;
  private String database;
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    mongo = MongoServer.any();
    database = mongo.newDatabase();
    server = RunningServer.start(data);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    mongo.drop(database);
  }

  private int run(String uri, String kind, String declaration, String collection) throws Exception {
    Path format = Files.writeString(folder.resolve(collection + ".yaml"), declaration);
    List<String> all =
        List.of(
            "import",
            kind,
            "--format",
            format.toString(),
            "--from-mongo",
            uri,
            "--collection",
            collection,
            "--rejects",
            folder.resolve("rejected").toString(),
            "--url",
            "http://127.0.0.1:" + server.server().port(),
            "--key",
            server.adminKey());
    return Commands.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }

  private String uri() {
    return mongo.uri().replace("/?", "/" + database + "?");
  }

  private static Date at(String time) {
    return Date.from(Instant.parse(time));
  }

  private static Document order(String state, String fee) {
    return new Document("store", new Document("code", "s-1").append("at", List.of(127.0, 37.5)))
        .append("state", state)
        .append("courier", "r-1")
        .append("to", List.of(127.1, 37.6))
        .append("address", "누군가의 집")
        .append("fee", Decimal128.parse(fee))
        .append("created", at("2025-03-05T01:00:00.123Z"))
        .append("picked", at("2025-03-05T01:15:00Z"))
        .append("note", BsonNull.VALUE);
  }

  @Test
  void deliveries_ofACollection_keepTheirMoneyAndTimes() throws Exception {
    ObjectId first = new ObjectId();
    MongoCollection<Document> orders = mongo.database(database).getCollection("orders");
    orders.insertOne(
        order("done", "35.10").append("_id", first).append("done", at("2025-03-05T01:30:00Z")));
    Document cancelled = order("void", "0").append("ended", at("2025-03-05T01:20:00Z"));
    cancelled.remove("picked");
    orders.insertOne(cancelled);
    orders.insertOne(order("void", "0").append("ended", at("2025-03-05T01:20:00Z")));
    orders.insertOne(order("done", "1.005").append("done", at("2025-03-05T01:30:00Z")));

    assertThat(run(uri(), "deliveries", ORDERS, "orders")).as(out + "" + err).isEqualTo(1);
    String rejected = Files.readString(folder.resolve("rejected"));
    assertThat(out.toString()).as(rejected).contains("4 records: 3 new").contains("1 rejected");
    assertThat(rejected).contains("\"field\":\"fee (/fee)\"");
    String list = server.get("/v1/exports/deliveries").body();
    assertThat(list).contains("\"orderId\":\"" + first.toHexString() + "\"");
    JsonNode items = server.get("/v1/exports/deliveries").json().path("items");
    JsonNode one =
        items
            .valueStream()
            .filter(item -> item.path("status").asString().equals("COMPLETED"))
            .findFirst()
            .orElseThrow();
    assertThat(one.path("fee").asLong()).isEqualTo(3_510);
    assertThat(one.path("createdAt").asString()).isEqualTo("2025-03-05T01:00:00.123Z");
    assertThat(one.at("/dropoff/address").asString()).isEqualTo("누군가의 집");
    assertThat(one.at("/pickup/lat").asDouble()).isEqualTo(37.5);
    assertThat(list).contains("\"status\":\"CANCELLED\"").contains("delivery.assigned");
    assertThat(list).as("cancelled behind its pickup").contains("\"status\":\"FAILED\"");

    assertThat(run(uri(), "deliveries", ORDERS, "orders")).isEqualTo(1);
    assertThat(out.toString()).contains("4 records: 0 new, 3 there already, 0 of these with other");
  }

  @Test
  void entries_ofMoreThanABatch_goOnBehindTheIdThatWasImported() throws Exception {
    List<Document> payouts = new ArrayList<>();
    for (int i = 0; i < 2_300; i++) {
      payouts.add(
          new Document("_id", new ObjectId())
              .append("who", "r-" + i % 3)
              .append("when", at("2025-01-02T00:30:00Z"))
              .append("won", (long) i));
    }
    mongo.database(database).getCollection("payouts").insertMany(payouts);
    String declaration =
        """
        into: statement-entries
        fields:
          id: /_id
          riderId: /who
          at: /when
          kind: { constant: incentive }
          amount: /won
          currency: { constant: KRW }
        """;
    // As a run has left it that was interrupted after a thousand, whose server was new since.
    ObjectId thousandth = payouts.get(999).getObjectId("_id");
    Files.writeString(
        folder.resolve("payouts.import"),
        ("{\"of\":\"statement-entries at http://127.0.0.1:%d\",\"read\":1000,\"accepted\":1000,"
                + "\"position\":\"1000 {\\\"_id\\\": {\\\"$oid\\\": \\\"%s\\\"},"
                + "\\\"collection\\\":\\\"%s.payouts\\\"}\"}")
            .formatted(server.server().port(), thousandth.toHexString(), database));
    assertThat(run(uri(), "statement-entries", declaration, "payouts")).as(out + "" + err).isZero();
    assertThat(out.toString()).contains("going on after 1,000 records").contains("2,300 records");
    long sum = 0;
    for (int rider = 0; rider < 3; rider++) {
      String path = "/v1/riders/r-" + rider + "/statement?from=2025-01-02&to=2025-01-02";
      sum += server.get(path + "&currency=KRW").json().at("/total/incentive").asLong();
    }
    assertThat(sum).isEqualTo(2_299L * 1_150 - 999L * 500);
  }

  @Test
  void positions_ofACollection_areDecodedAsAnAppsUploads() throws Exception {
    mongo
        .database(database)
        .getCollection("gps")
        .insertOne(
            new Document("courier", 7)
                .append("when", at("2025-03-05T01:00:00.250Z"))
                .append(
                    "where",
                    new Document("type", "Point").append("coordinates", List.of(127.0, 37.5))));
    String declaration =
        """
        path: /old/gps
        content: lines
        fields:
          riderId: /courier
          at: /when
          lat: /where/coordinates/1
          lon: /where/coordinates/0
        attributes: drop
        """;
    assertThat(run(uri(), "positions", declaration, "gps")).as(out + "" + err).isZero();
    JsonNode trace = server.get("/v1/exports/traces").json().path("items").get(0);
    assertThat(trace.path("riderId").asString()).isEqualTo("7");
    assertThat(trace.path("lon").asDouble()).isEqualTo(127.0);
    assertThat(trace.path("at").asString()).isEqualTo("2025-03-05T01:00:00.250Z");
  }

  @Test
  void whatCannotBeReached_isSaid() throws Exception {
    assertThat(run(NOWHERE, "deliveries", ORDERS, "orders")).isEqualTo(1);
    assertThat(err.toString()).contains("the MongoDB of --from-mongo: ");
    assertThat(run("mongodb://127.0.0.1:9", "deliveries", ORDERS, "orders")).isEqualTo(1);
    assertThat(err.toString()).contains("must name the database");
    assertThat(run("postgres://x", "deliveries", ORDERS, "orders")).isEqualTo(1);
    assertThat(err.toString()).contains("--from-mongo is no URI of MongoDB");
  }
}
