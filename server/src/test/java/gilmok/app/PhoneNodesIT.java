package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Phones in a MongoDB: the contract of one server, and what two servers and outages add. */
@Tag("engine")
final class PhoneNodesIT extends DevicesServerContract {
  private static final int ROUNDS = 25;
  private static final String ADMIN = "the-admin-key-of-all-nodes";

  @TempDir Path other;
  private MongoServer mongo;
  private String database;
  private MongoWire wire;

  @BeforeEach
  @Override
  void start() throws Exception {
    mongo = MongoServer.any();
    database = mongo.newDatabase();
    wire = MongoWire.to(mongo);
    super.start();
  }

  @AfterEach
  @Override
  void stop() throws Exception {
    super.stop();
    wire.close();
    mongo.drop(database);
  }

  @Override
  String[] settings() {
    return settingsOf(mongo.uri());
  }

  private String[] settingsOf(String uri) {
    return new String[] {
      "documents.mongo-uri=" + uri, "documents.mongo-database=" + database,
    };
  }

  /** Another node of the same database, which reaches it by the wire. */
  private RunningServer startOther() throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(settingsOf("mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true")));
    all.add("documents.mongo-timeout=2 s");
    all.add("admin-key=" + ADMIN);
    return RunningServer.startKnowing(ADMIN, other, all.toArray(String[]::new));
  }

  private Reply upload(RunningServer node, String device) throws Exception {
    return node.send(key, "GET", "/?id=" + device + "&lat=1&lon=1", "", "");
  }

  private static String text(String text) {
    return "{\"type\":\"text\",\"text\":\"" + text + "\"}";
  }

  private static JsonNode device(RunningServer node, String id) throws Exception {
    return node.get("/v1/devices/" + id).json();
  }

  @Test
  void tieAndCommandOfOneNode_areTheOthers() throws Exception {
    try (RunningServer second = startOther()) {
      tie("phone", "rider-9", "g");
      Program.await(() -> device(second, "phone").path("riderId").asString("").equals("rider-9"));
      assertThat(upload(second, "phone").status()).isEqualTo(200);
      Program.await(() -> second.get("/v1/riders/rider-9/position").status() == 200);

      assertThat(command("phone", text("hello")).status()).isEqualTo(202);
      Program.await(() -> device(second, "phone").path("commands").size() == 1);
      assertThat(upload(second, "phone").body()).isEqualTo("hello");
      assertThat(upload(second, "phone").body()).isEmpty();
      Program.await(() -> device(server, "phone").path("ended").size() == 1);
      JsonNode seen = device(server, "phone");
      assertThat(seen.path("ended").path(0).path("end").asString()).isEqualTo("sent");
      assertThat(seen.path("commands").size()).isZero();
      assertThat(seen.has("dialect")).as("only the other has heard it").isFalse();
      assertThat(upload(server, "phone").body()).isEmpty();
    }
  }

  @Test
  void uploadsToBothNodes_getACommandOnce() throws Exception {
    try (RunningServer second = startOther()) {
      for (int i = 0; i < ROUNDS; i++) {
        String said = "round " + i;
        assertThat(command("raced", text(said)).status()).isEqualTo(202);
        Program.await(() -> device(second, "raced").path("commands").size() == 1);
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
          RunningServer node = n % 2 == 0 ? server : second;
          all.add(CompletableFuture.supplyAsync(() -> quietly(node, "raced")));
        }
        List<String> bodies = new ArrayList<>();
        for (CompletableFuture<String> one : all) {
          bodies.add(one.get());
        }
        assertThat(bodies).containsOnlyOnce(said).containsOnly(said, "");
        Program.await(
            () ->
                device(second, "raced").path("commands").size() == 0
                    && device(server, "raced").path("commands").size() == 0);
      }
    }
  }

  private String quietly(RunningServer node, String device) {
    try {
      Reply reply = upload(node, device);
      assertThat(reply.status()).isEqualTo(200);
      return reply.body();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void databaseAway_positionsAreStored_andTheCommandComesLater() throws Exception {
    try (RunningServer second = startOther()) {
      tie("later", "rider-8", null);
      assertThat(command("later", text("hello")).status()).isEqualTo(202);
      Program.await(() -> device(second, "later").path("commands").size() == 1);
      assertThat(upload(second, "warm").status()).isEqualTo(200); // its key is known now
      wire.cut();
      Reply stored = upload(second, "later");
      assertThat(stored.status()).isEqualTo(200);
      assertThat(stored.body()).isEmpty();
      Program.await(() -> second.get("/v1/riders/rider-8/position").status() == 200);
      assertThat(
              second
                  .send(
                      ADMIN, "PUT", "/v1/devices/later", "application/json", "{\"riderId\":\"x\"}")
                  .status())
          .isEqualTo(503);
      wire.mend();
      Program.await(() -> upload(second, "later").body().equals("hello"));
    }
  }

  /** A position under a wrong rider's id would stay wrong. */
  @Test
  void databaseAway_atTheStart_phonesAreSentAway_untilItIsKnownWhatRidersWithhold()
      throws Exception {
    tie("phone", "rider-9", null);
    wire.cut();
    try (RunningServer second = startOther()) {
      second.server().warmUp();
      Reply ready = second.get("/health/ready");
      assertThat(ready.status()).isEqualTo(503);
      assertThat(ready.body()).contains("\"name\":\"devices\"");
      assertThat(second.send(ADMIN, "GET", "/?id=phone&lat=1&lon=1", "", "").status())
          .isEqualTo(503);
      assertThat(second.get("/v1/devices").status()).isEqualTo(503);
      assertThat(second.get("/v1/devices/phone").status()).isEqualTo(503);
      assertThat(
              second
                  .post("/v1/traces", "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}")
                  .status())
          .isEqualTo(503);
      wire.mend();
      Program.await(() -> second.get("/health/ready").status() == 200);
      assertThat(second.send(ADMIN, "GET", "/?id=phone&lat=1&lon=1", "", "").status())
          .isEqualTo(200);
      Program.await(() -> second.get("/v1/riders/rider-9/position").status() == 200);
      assertThat(second.get("/v1/riders/phone/position").status()).isEqualTo(404);
    }
  }

  @Test
  void fileOfANode_isBroughtIntoTheDatabase() throws Exception {
    try (RunningServer before = RunningServer.start(other)) {
      String admin = before.adminKey();
      assertThat(
              before
                  .send(
                      admin, "PUT", "/v1/devices/mine", "application/json", "{\"riderId\":\"r-1\"}")
                  .status())
          .isEqualTo(200);
      assertThat(before.post("/v1/devices/mine/commands", text("hello")).status()).isEqualTo(202);
    }
    assertThat(other.resolve("devices")).isRegularFile();
    try (RunningServer second = startOther()) {
      assertThat(device(second, "mine").path("riderId").asString()).isEqualTo("r-1");
      assertThat(other.resolve("devices")).doesNotExist();
      assertThat(Files.size(other.resolve("devices.moved"))).isPositive();
      Program.await(() -> device(server, "mine").path("commands").size() == 1);
      assertThat(upload(server, "mine").body()).isEqualTo("hello");
    }
  }
}
