package gilmok.collect.devices;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoServer;
import java.nio.file.Path;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept by a database; and what its documents are. */
@Tag("engine")
final class SharedDevicesIT extends DevicesContract {
  @TempDir Path data;
  private MongoServer server;
  private String database;
  private DevicesNode node;
  private SharedDevices devices;

  @BeforeEach
  void open() throws Exception {
    server = MongoServer.any();
    database = server.newDatabase();
    node = new DevicesNode(server, database, 0, data, now);
    devices = node.start();
  }

  @AfterEach
  void close() throws Exception {
    DevicesNode.stop(devices);
    node.close();
    server.drop(database);
  }

  @Override
  Devices devices() {
    return devices;
  }

  @Override
  Devices reopened() throws Exception {
    DevicesNode.stop(devices);
    node.close();
    node = new DevicesNode(server, database, 0, data, now);
    devices = node.start();
    return devices;
  }

  private Document stored(String id) {
    return server.database(database).getCollection("devices").find(new Document("_id", id)).first();
  }

  @Test
  void documents_areWhatTheDocsSay() throws Exception {
    long since = now.get();
    devices.tie("d", "r", "g");
    devices.tell("d", text("a1"));
    devices.tell("d", report("a2"));
    Document whole = stored("d");
    assertThat(whole.getDate("changedAt")).isNotNull();
    assertThat(whole.getLong("version")).isEqualTo(since + 3);
    whole.remove("changedAt");
    whole.remove("version");
    assertThat(whole)
        .isEqualTo(
            new Document("_id", "d")
                .append("riderId", "r")
                .append("group", "g")
                .append(
                    "commands",
                    List.of(
                        new Document("id", "a1")
                            .append("type", "text")
                            .append("text", "say a1")
                            .append("since", since),
                        new Document("id", "a2").append("type", "report").append("since", since))));
    assertThat(taken(devices, "d")).containsExactly("a1");
    await("saved", () -> stored("d").getList("commands", Document.class).size() == 1);
    assertThat(stored("d").getList("ended", Document.class))
        .containsExactly(
            new Document("id", "a1")
                .append("type", "text")
                .append("end", "sent")
                .append("at", since));
    devices.untie("d");
    assertThat(stored("d").keySet())
        .containsExactlyInAnyOrder("_id", "version", "changedAt", "ended");
  }
}
