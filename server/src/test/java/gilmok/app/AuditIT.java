package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.app.RunningServer.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whoever changes something is written down, with what was before and after. */
@Tag("process")
final class AuditIT {
  private static final String JSON = "application/json";

  @TempDir Path data;

  @Test
  void everyChange_isListed_withKeyAddressBeforeAndAfter() throws Exception {
    try (RunningServer server = RunningServer.start(data, "sinks.enabled=files")) {
      assertThat(format()).isEqualTo("format=1");
      assertThat(items(server, "")).isEmpty();
      assertThat(format()).isEqualTo("format=1");

      Reply made = server.post("/v1/keys", "{\"name\":\"ops\",\"scopes\":[\"operate\"]}");
      String key = made.json().get("key").asString();
      String id = made.json().get("id").asString();
      assertThat(format()).isEqualTo("format=2");
      send(server, key, "PUT", "/v1/devices/d1", "{\"riderId\":\"r1\",\"group\":\"g\"}", 200);
      send(server, key, "PUT", "/v1/devices/d1", "{\"riderId\":\"r2\"}", 200);
      send(
          server,
          key,
          "POST",
          "/v1/devices/d1/commands",
          "{\"type\":\"text\",\"text\":\"x\"}",
          202);
      send(server, key, "DELETE", "/v1/devices/d1", "", 204);
      String partner =
          "{\"kind\":\"shop\",\"url\":\"https://p.example/%s\",\"secret\":\"%s\","
              + "\"events\":[\"delivery.completed\"]}";
      String first = "whsec_" + "A".repeat(32);
      String second = "whsec_" + "B".repeat(32);
      send(server, key, "PUT", "/v1/partners/s1", partner.formatted("a", first), 201);
      send(server, key, "PUT", "/v1/partners/s1", partner.formatted("b", second), 200);
      send(
          server,
          key,
          "POST",
          "/v1/partners/s1/replay",
          "{\"from\":\"2026-11-21T09:00:00Z\"}",
          202);
      send(server, key, "POST", "/v1/partners/s1/retry-now", "", 202);
      send(server, key, "PUT", "/v1/sinks/files", "{\"batchRecordsMax\":7}", 200);
      send(server, key, "POST", "/v1/sinks/files/pause", "", 200);
      send(server, key, "POST", "/v1/sinks/files/resume", "", 200);
      // Refused before anything is changed: no entries.
      send(server, key, "PUT", "/v1/sinks/files", "{\"batchRecordsMax\":-7}", 400);
      send(server, key, "PUT", "/v1/sinks/none", "{\"batchRecordsMax\":7}", 404);
      send(server, key, "DELETE", "/v1/keys/" + id, "", 403);
      send(server, server.adminKey(), "DELETE", "/v1/keys/" + id, "", 204);
      send(server, server.adminKey(), "DELETE", "/v1/keys/" + id, "", 404);

      List<JsonNode> items = items(server, "");
      assertThat(items.stream().map(item -> item.get("action").asString()))
          .containsExactly(
              "key.revoked",
              "sink.resumed",
              "sink.paused",
              "sink.tuned",
              "partner.retried",
              "partner.replayed",
              "partner.changed",
              "partner.created",
              "device.untied",
              "device.commanded",
              "device.tied",
              "device.tied",
              "key.created");
      assertThat(items)
          .allSatisfy(
              item -> {
                assertThat(item.get("address").asString()).isEqualTo("127.0.0.1");
                assertThat(item.get("outcome").asString()).isEqualTo("done");
                assertThat(item.get("node").asString()).hasSize(12);
              });
      assertThat(items.getLast().get("target").asString()).isEqualTo(id);
      assertThat(items.getLast().get("before").isNull()).isTrue();
      assertThat(items.getLast().get("after").get("name").asString()).isEqualTo("ops");
      assertThat(items.getFirst().get("before").get("name").asString()).isEqualTo("ops");
      assertThat(items.getFirst().get("after").isNull()).isTrue();
      JsonNode tuned = items.get(3);
      assertThat(tuned.get("key").asString()).isEqualTo(id);
      assertThat(tuned.get("keyName").asString()).isEqualTo("ops");
      assertThat(tuned.get("before").get("batchRecordsMax").asInt()).isEqualTo(300);
      assertThat(tuned.get("after").get("batchRecordsMax").asInt()).isEqualTo(7);
      JsonNode changed = items.get(6);
      assertThat(changed.get("before").get("url").asString()).isEqualTo("https://p.example/a");
      assertThat(changed.get("after").get("url").asString()).isEqualTo("https://p.example/b");
      assertThat(changed.get("after").get("newSecret").asBoolean()).isTrue();
      JsonNode tied = items.get(10);
      assertThat(tied.get("before").get("riderId").asString()).isEqualTo("r1");
      assertThat(tied.get("after").get("riderId").asString()).isEqualTo("r2");

      // Never a secret.
      assertThat(server.get("/v1/audit").body())
          .doesNotContain(key, server.adminKey(), first, second, "hash");

      // Filters and pages.
      assertThat(items(server, "?key=" + id)).hasSize(11);
      assertThat(items(server, "?to=2020-01-01T00:00:00Z")).isEmpty();
      assertThat(items(server, "?from=2020-01-01T00:00:00Z")).hasSize(13);
      assertThat(items(server, "?from=" + tuned.get("at").asString())).hasSize(4);
      assertThat(items(server, "?to=" + tuned.get("at").asString())).hasSize(9);
      List<JsonNode> paged = new ArrayList<>();
      String next = "";
      do {
        JsonNode page = server.get("/v1/audit?limit=5" + next).json();
        page.get("items").forEach(paged::add);
        next = page.get("next").isNull() ? "" : "&cursor=" + page.get("next").asString();
      } while (!next.isEmpty());
      assertThat(paged).isEqualTo(items);

      // Who may ask, and how.
      String other = server.key("{\"name\":\"other\",\"scopes\":[\"operate\",\"read\"]}");
      assertThat(server.send(other, "GET", "/v1/audit", "", "").status()).isEqualTo(403);
      Reply whole = server.get("/v1/audit?key=" + other);
      assertThat(whole.status()).isEqualTo(400);
      assertThat(whole.json().get("field").asString()).isEqualTo("key");
      assertThat(whole.body()).doesNotContain(other);
      for (String wrong : List.of("from=x", "to=-1", "limit=0", "limit=1001", "cursor=x")) {
        Reply refused = server.get("/v1/audit?" + wrong);
        assertThat(refused.status()).as(wrong).isEqualTo(400);
        assertThat(wrong).startsWith(refused.json().get("field").asString() + "=");
      }
    }
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(items(server, "")).hasSize(14);
    }
    damage(
        "UPDATE audit SET json = 'garbage{' WHERE id = (SELECT max(id) FROM audit WHERE id < 'g')");
    try (RunningServer server = RunningServer.start(data)) {
      JsonNode page = server.get("/v1/audit").json();
      assertThat(page.get("items")).hasSize(13);
      assertThat(page.get("unreadable")).hasSize(1);
    }
  }

  private void damage(String sql) throws SQLException {
    try (Connection documents =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("documents.db"));
        Statement statement = documents.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }

  @Test
  void replays_ofTheQuarantine_areListed_withWhatCameOfThem() throws Exception {
    try (RunningServer server = RunningServer.start(data, "sinks.enabled=files")) {
      server.post("/v1/traces", "[{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1},{\"lat\":91}]");
      JsonNode aside = server.get("/v1/quarantine").json().get("items").get(0);
      String sequence = aside.get("sequence").asString();
      String path = "/v1/quarantine/" + sequence + "/replay";
      send(server, server.adminKey(), "POST", path, "", 409);
      send(
          server,
          server.adminKey(),
          "POST",
          path,
          "{\"riderId\":\"r\",\"at\":2,\"lat\":1,\"lon\":1}",
          200);
      send(
          server,
          server.adminKey(),
          "POST",
          "/v1/quarantine-replays",
          "{\n\"stream\": \"traces\"\n}",
          202);
      List<JsonNode> items = items(server, "");
      assertThat(items.stream().map(item -> item.get("outcome").asString()))
          .containsExactly("done", "done", "failed");
      assertThat(items.get(0).get("target").asString()).startsWith("replay/");
      assertThat(items.get(0).get("after").get("stream").asString()).isEqualTo("traces");
      assertThat(items.get(1).get("target").asString()).isEqualTo(sequence);
      assertThat(items.get(1).get("after").get("corrected").asBoolean()).isTrue();
      assertThat(items.get(2).get("error").asString()).isNotEmpty();
    }
  }

  @Test
  void sinks_areSentTheAuditOnlyWhereTheyNameIt() throws Exception {
    try (RunningServer server =
        RunningServer.start(
            data,
            "sinks.enabled=files,files-audit",
            "sinks.files.file-age-max=20ms",
            "sinks.files-audit.file-age-max=20ms",
            "sinks.files-audit.folder=" + data.resolve("audit-files"),
            "sinks.files-audit.streams=audit")) {
      server.key("{\"name\":\"ops\",\"scopes\":[\"operate\"]}");
      server.post("/v1/logs", "{\"riderId\":\"r\",\"at\":1,\"level\":\"info\",\"message\":\"m\"}");
      Program.await(() -> holds(data.resolve("audit-files"), "\"action\":\"key.created\""));
      Program.await(() -> holds(data.resolve("shipped"), "\"message\":\"m\""));
      assertThat(holds(data.resolve("shipped"), "key.created")).isFalse();
      assertThat(holds(data.resolve("audit-files"), "\"message\":\"m\"")).isFalse();
      JsonNode ledger = server.get("/v1/ledger").json();
      assertThat(ledger.get("residue").asLong()).isZero();
      assertThat(ledger.toString()).contains("{\"stream\":\"audit\",\"accepted\":1}");
    }
  }

  private static boolean holds(Path folder, String text) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".ndjson.zst")).toList()) {
        try (ZstdInputStream in = new ZstdInputStream(Files.newInputStream(file))) {
          if (new String(in.readAllBytes(), StandardCharsets.UTF_8).contains(text)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static void send(
      RunningServer server, String key, String method, String path, String body, int status)
      throws Exception {
    Reply reply = server.send(key, method, path, body.isEmpty() ? "" : JSON, body);
    assertThat(reply.status()).as(method + " " + path + ": " + reply.body()).isEqualTo(status);
  }

  private static List<JsonNode> items(RunningServer server, String query) throws Exception {
    Reply reply = server.get("/v1/audit" + query);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    List<JsonNode> items = new ArrayList<>();
    reply.json().get("items").forEach(items::add);
    return items;
  }

  private String format() throws IOException {
    return Files.readAllLines(data.resolve("node")).getFirst();
  }
}
