package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** MongoDB is unreachable or unfit, when a server starts or later. */
@Tag("engine")
final class MongoAwayIT {
  private static final String GIVEN = "the-admin-key-of-all-nodes";
  private static final String MADE_UP =
      "gk_aaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

  @TempDir Path data;

  private MongoServer mongo;
  private String database;
  private MongoWire wire;

  @BeforeEach
  void connect() throws Exception {
    mongo = MongoServer.any();
    database = mongo.newDatabase();
    wire = MongoWire.to(mongo);
  }

  @AfterEach
  void end() throws Exception {
    wire.close();
    mongo.drop(database);
  }

  private RunningServer start(String... more) throws Exception {
    String[] settings = {
      "admin-key=" + GIVEN,
      "documents.mongo-uri=mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true",
      "documents.mongo-database=" + database,
      "documents.mongo-timeout=2 s"
    };
    String[] all = new String[settings.length + more.length];
    System.arraycopy(settings, 0, all, 0, settings.length);
    System.arraycopy(more, 0, all, settings.length, more.length);
    return RunningServer.startKnowing(GIVEN, data, all);
  }

  private static String lacks(RunningServer server) throws Exception {
    return server.get("/health/ready").json().path("missing").toString();
  }

  private static int collect(RunningServer server, String key, int at) throws Exception {
    return server
        .send(
            key,
            "POST",
            "/v1/traces",
            "application/json",
            "{\"riderId\":\"r\",\"at\":%d,\"lat\":1,\"lon\":1}".formatted(at))
        .status();
  }

  private static int deliver(RunningServer server, String order) throws Exception {
    return server
        .post(
            "/v1/deliveries",
            "{\"orderId\":\""
                + order
                + "\",\"shopId\":\"s\",\"pickup\":{\"lat\":1,\"lon\":1,\"address\":\"a\"},"
                + "\"dropoff\":{\"lat\":1,\"lon\":1,\"address\":\"b\"}}")
        .status();
  }

  @Test
  void whileItIsAway_whatNeedsNoDocumentsWorks_andTheRestComesBackByItself() throws Exception {
    wire.cut();
    try (RunningServer server = start("sinks.enabled=files")) {
      server.server().warmUp();
      RunningServer.Reply ready = server.get("/health/ready");
      assertThat(ready.status()).as("whose phones are whose is not known yet").isEqualTo(503);
      assertThat(ready.body())
          .contains("\"name\":\"documents\",\"reason\":\"MongoDB: ")
          .contains("\"name\":\"devices\",\"reason\":\"phones and their riders were not read")
          .contains("\"name\":\"consents\",\"reason\":\"what riders withhold was not read yet");

      assertThat(collect(server, GIVEN, 1)).as("who withholds it is not known").isEqualTo(503);
      assertThat(server.get("/v1/ledger").status()).isEqualTo(200);
      assertThat(collect(server, MADE_UP, 1)).as("it may exist").isEqualTo(503);
      assertThat(deliver(server, "first")).isEqualTo(503);
      assertThat(server.get("/v1/missions").status()).isEqualTo(503);
      assertThat(server.get("/v1/riders/r/missions").status()).isEqualTo(503);
      assertThat(
              server
                  .send(GIVEN, "PUT", "/v1/missions/m", "application/json", "{\"goal\":1}")
                  .status())
          .isEqualTo(503);
      assertThat(server.get("/v1/riders/r/statement?from=2026-01-01&to=2026-01-02").status())
          .isEqualTo(503);

      wire.mend();
      Program.await(() -> !lacks(server).contains("documents"));
      assertThat(collect(server, MADE_UP, 1)).isEqualTo(401);
      assertThat(deliver(server, "first")).isEqualTo(201);
      Program.await(() -> collect(server, GIVEN, 1) == 202);
      server.awaitSeen();
      assertThat(server.get("/v1/riders/r/position").status()).isEqualTo(200);
      Program.await(() -> server.get("/v1/riders/r/missions").status() == 200);
      String rider = server.key("{\"name\":\"r\",\"scopes\":[\"collect\"],\"rider\":\"r\"}");
      assertThat(collect(server, rider, 2)).isEqualTo(202);
    }
  }

  @Test
  void keysThatWereSeenBefore_letRidersIn() throws Exception {
    String rider;
    String revoked;
    try (RunningServer server = start()) {
      rider = server.key("{\"name\":\"r\",\"scopes\":[\"collect\"],\"rider\":\"r\"}");
      revoked = server.key("{\"name\":\"gone\",\"scopes\":[\"collect\"]}");
      String id = revoked.split("_", 3)[1];
      assertThat(server.send(GIVEN, "DELETE", "/v1/keys/" + id, "", "").status()).isEqualTo(204);
    }
    wire.cut();
    Path copy = data.resolve("keys.seen");
    assertThat(Files.readString(copy)).doesNotContain(rider.split("_", 3)[2]);
    try (RunningServer server = start()) {
      assertThat(collect(server, rider, 1)).isEqualTo(202);
      assertThat(collect(server, revoked, 1)).as("nobody knows any more").isEqualTo(503);
      assertThat(collect(server, rider + "x", 1)).isEqualTo(401);
    }
    byte[] damaged = Files.readAllBytes(copy);
    damaged[damaged.length / 2] ^= 1;
    Files.write(copy, damaged);
    try (RunningServer server = start()) {
      assertThat(collect(server, rider, 2)).isEqualTo(503);
      assertThat(collect(server, GIVEN, 2)).isEqualTo(202);
      wire.mend();
      Program.await(() -> collect(server, rider, 3) == 202);
    }
    wire.cut();
    try (RunningServer server = start()) {
      assertThat(collect(server, rider, 4)).as("the copy was made anew").isEqualTo(202);
    }
  }

  /**
   * All nodes lose the index at once. If each reported that it is not ready, none would be left.
   */
  @Test
  void anIndexThatIsDroppedWhileItRuns_isNamed_untilSomebodyMakesIt() throws Exception {
    try (RunningServer server = start()) {
      server.server().warmUp();
      assertThat(deliver(server, "first")).isEqualTo(201);
      assertThat(lacks(server)).doesNotContain("index");
      mongo.database(database).getCollection("deliveries").dropIndex("rider");
      Program.await(() -> lacks(server).contains("the index rider of deliveries is not there"));
      assertThat(server.get("/health/ready").status()).isEqualTo(200);
      assertThat(deliver(server, "second")).isEqualTo(201);
      makeRiderIndex();
      Program.await(() -> !lacks(server).contains("documents"));
    }
  }

  private void makeRiderIndex() {
    mongo
        .database(database)
        .runCommand(
            Document.parse(
                "{createIndexes:'deliveries',indexes:[{key:{riderId:1,_id:1},name:'rider',"
                    + "partialFilterExpression:{riderId:{$gt:''}}}]}"));
  }

  @Test
  void anIndexThatIsMissing_keepsItUnready_untilSomebodyMakesIt() throws Exception {
    try (RunningServer server = start()) {
      assertThat(deliver(server, "first")).isEqualTo(201);
    }
    mongo.database(database).getCollection("deliveries").dropIndex("rider");
    try (RunningServer server = start()) {
      server.server().warmUp();
      assertThat(server.get("/health/ready").status()).isEqualTo(503);
      assertThat(lacks(server))
          .contains("the index rider of deliveries is not there")
          .contains("gilmok indexes show");
      assertThat(collect(server, GIVEN, 1)).isEqualTo(202);
      assertThat(collect(server, MADE_UP, 1)).as("the keys are read all the same").isEqualTo(401);
      assertThat(deliver(server, "second")).isEqualTo(503);
      makeRiderIndex();
      Program.await(() -> server.get("/health/ready").status() == 200);
      assertThat(deliver(server, "second")).isEqualTo(201);
    }
    mongo.database(database).getCollection("deliveries").dropIndex("rider");
    try (RunningServer server = start("documents.mongo-indexes=off")) {
      assertThat(lacks(server)).isEqualTo("[]");
      assertThat(deliver(server, "third")).isEqualTo(201);
    }
    try (RunningServer server = start("documents.mongo-indexes=create")) {
      Program.await(() -> deliver(server, "fourth") == 201);
      assertThat(mongo.database(database).getCollection("deliveries").listIndexes())
          .extracting(index -> index.getString("name"))
          .contains("rider");
    }
  }
}
