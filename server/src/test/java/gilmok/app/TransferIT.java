package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.cli.Commands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What is exported, and imported, over HTTP and by the commands. */
@Tag("process")
final class TransferIT {
  private static final String ENTRY =
      "{\"id\":\"e-1\",\"riderId\":\"r-1\",\"at\":\"2026-03-05T01:02:03Z\",\"kind\":\"fee\","
          + "\"amount\":3500,\"currency\":\"KRW\",\"distance\":1234.5}";
  private static final String PAST =
      """
      {"orderId":"%s","shopId":"s-1","status":"COMPLETED","riderId":"r-1",
       "pickup":{"lat":37.5,"lon":127.0,"address":"A"},
       "dropoff":{"lat":37.6,"lon":127.1,"address":"B"},
       "fee":3500,"createdAt":"2025-03-05T01:00:00Z","assignedAt":"2025-03-05T01:05:00Z",
       "pickedUpAt":"2025-03-05T01:15:00Z","completedAt":"2025-03-05T01:30:00Z"}
      """;

  @TempDir Path data;
  @TempDir Path other;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(data, "relay.private-networks=127.0.0.1");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private int run(RunningServer on, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--url", "http://127.0.0.1:" + on.server().port(), "--key", on.adminKey()));
    return Commands.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }

  private static String line(String json) {
    return json.replaceAll("\\s*\n\\s*", "") + "\n";
  }

  private void put(String path, String body) throws Exception {
    Reply reply = server.send(server.adminKey(), "PUT", path, "application/json", body);
    assertThat(reply.status()).as(path + reply.body()).isBetween(200, 299);
  }

  /** Puts something of each kind into the server. */
  private String fill() throws Exception {
    String open =
        server.post("/v1/deliveries", DeliveryRig.order("open")).json().path("id").asString();
    for (String step : List.of("accept", "assign", "pickup")) {
      String body = step.equals("assign") ? "{\"riderId\":\"r-1\"}" : "";
      assertThat(server.post("/v1/deliveries/" + open + "/" + step, body).status()).isEqualTo(200);
    }
    assertThat(server.post("/v1/deliveries", DeliveryRig.order("new")).status()).isEqualTo(201);
    assertThat(server.post("/v1/statement-entries", ENTRY).status()).isEqualTo(200);
    put("/v1/missions/m-1", "{\"title\":\"길목 \\u00e9\",\"share\":1.50,\"riders\":[\"r-1\"]}");
    put("/v1/riders/r-1/missions/m-1/progress", "{\"count\":3.0}");
    put("/v1/riders/r-1/profile", "{\"level\":7}");
    put("/v1/devices/phone-1", "{\"riderId\":\"r-1\",\"group\":\"g\"}");
    put(
        "/v1/partners/s-1",
        "{\"kind\":\"shop\",\"url\":\"http://127.0.0.1:9/hook\",\"events\":[\"*\"],\"secret\":"
            + "\"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"}");
    for (int i = 1; i <= 5; i++) {
      assertThat(
              server
                  .post(
                      "/v1/traces",
                      "{\"riderId\":\"r-1\",\"at\":%d,\"lat\":37.123456,\"lon\":127.1,\"id\":\"%d\"}"
                          .formatted(i, i))
                  .status())
          .isEqualTo(202);
    }
    assertThat(
            server
                .post("/v1/actions", "{\"riderId\":\"r-1\",\"at\":1,\"type\":\"x\",\"id\":\"a\"}")
                .status())
        .isEqualTo(202);
    return server.key("{\"name\":\"app\",\"scopes\":[\"read\"],\"rider\":\"r-1\"}");
  }

  private static String files(Path folder) throws Exception {
    StringBuilder all = new StringBuilder();
    for (JsonNode one :
        new ObjectMapper()
            .readTree(Files.readString(folder.resolve("manifest.json")))
            .path("files")) {
      all.append(one.path("dataset").asString()).append(' ');
      all.append(one.path("records").asInt()).append(' ');
      all.append(one.path("sum").asString()).append('\n');
    }
    return all.toString();
  }

  @Test
  void everything_isExported_andImportedElsewhere_andTheSameComesOutAgain() throws Exception {
    final String key = fill();
    Path first = other.resolve("first");
    assertThat(run(server, "export", "--out", first.toString())).as(err.toString()).isZero();
    assertThat(files(first))
        .contains("deliveries 2 ")
        .contains("statement-entries 1 ")
        .contains("missions 1 ")
        .contains("mission-progress 1 ")
        .contains("profiles 1 ")
        .contains("devices 1 ")
        .contains("partners 1 ")
        .contains("keys 1 ")
        .contains("traces 5 ")
        .contains("actions 1 ")
        .contains("logs 0 ");
    try (RunningServer another =
        RunningServer.start(other.resolve("data"), "relay.private-networks=127.0.0.1")) {
      assertThat(run(another, "import", "all", first.toString())).as(out.toString() + err).isZero();
      assertThat(out.toString()).contains("all as it was exported").doesNotContain("1 rejected");
      Path second = other.resolve("second");
      assertThat(run(another, "export", "--out", second.toString())).as(err.toString()).isZero();
      assertThat(files(second)).isEqualTo(files(first));
      assertThat(Files.readString(second.resolve("deliveries.ndjson")))
          .isEqualTo(Files.readString(first.resolve("deliveries.ndjson")));

      // The key works there, the delivery goes on there, and only its later events are told.
      assertThat(another.send(key, "GET", "/v1/riders/r-1/missions", "", "").body())
          .contains("\"share\":1.50");
      String id = server.get("/v1/deliveries?status=PICKED_UP").json().at("/items/0/id").asString();
      assertThat(another.post("/v1/deliveries/" + id + "/complete", "").status()).isEqualTo(200);
      assertThat(another.get("/v1/riders/r-1/position").json().path("lat").asDouble())
          .isEqualTo(37.123456);

      assertThat(run(another, "import", "all", first.toString())).as("again").isEqualTo(1);
      assertThat(out.toString())
          .contains("deliveries: 2 records: 0 new, 2 there already, 1 of these with other values")
          .contains("statement-entries: 1 records: 0 new, 1 there already, 0 of these");
    }
  }

  @Test
  void import_ofThePast_byTimesOfAnotherSystem() throws Exception {
    Reply reply =
        server.send(
            server.adminKey(),
            "POST",
            "/v1/imports/deliveries",
            "application/x-ndjson",
            line(PAST.formatted("o-1")) + line(PAST.formatted("o-1")));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().path("accepted").asInt()).isEqualTo(1);
    assertThat(reply.json().path("duplicates").asInt()).isEqualTo(1);
    assertThat(reply.json().path("differing")).isEmpty();
    JsonNode past = server.get("/v1/deliveries?status=COMPLETED").json().at("/items/0");
    assertThat(past.path("riderId").asString()).isEqualTo("r-1");
    assertThat(past.path("createdAt").asString()).startsWith("2025-03-05T01:00:00");
    JsonNode events =
        server.get("/v1/deliveries/" + past.path("id").asString() + "/events").json().path("items");
    assertThat(events).hasSize(5);
    assertThat(events.path(4).path("at").asString()).startsWith("2025-03-05T01:30:00");
  }

  @Test
  void import_wrongRecords_areNamed_andTheOthersTaken() throws Exception {
    String wrong =
        line(PAST.formatted("o-2").replace("COMPLETED", "EATEN"))
            + line(PAST.formatted("o-3").replace("2025-03-05T01:30", "2025-03-05T00:30"))
            + "not json\n"
            + line(PAST.formatted("o-4"))
            + line(PAST.formatted("o-5").replace("\"riderId\":\"r-1\",", ""))
            + "[]\n";
    Reply reply =
        server.send(
            server.adminKey(), "POST", "/v1/imports/deliveries", "application/x-ndjson", wrong);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().path("accepted").asInt()).isEqualTo(1);
    List<String> rejected = new ArrayList<>();
    reply
        .json()
        .path("rejected")
        .forEach(
            one -> rejected.add(one.path("index").asInt() + " " + one.path("field").asString("")));
    assertThat(rejected).containsExactly("0 status", "1 completedAt", "2 ", "4 riderId", "5 ");
  }

  @Test
  void import_ofADeclaredFile_goesOnWhereItWasInterrupted() throws Exception {
    Path declaration =
        Files.writeString(
            other.resolve("pay.yaml"),
            """
            into: statement-entries
            content: csv
            separator: ";"
            fields:
              id: /no
              riderId: /courier
              at: { from: /paid, pattern: yyyy/MM/dd HH:mm, zone: Asia/Seoul }
              kind: { from: /what, values: { tip: incentive } }
              amount: { from: /dollars, factor: 100 }
              currency: { constant: USD }
            """);
    StringBuilder csv = new StringBuilder("no;courier;paid;what;dollars\n");
    for (int i = 0; i < 2_500; i++) {
      csv.append(i).append(";r-").append(i % 7).append(";2025/01/02 09:30;tip;1.25\n");
    }
    csv.append("x;r-1;yesterday;tip;1\n").append("y;r-1;2025/01/02 09:30;tip;0.001\n");
    csv.append("z;r-1;2025/01/02 09:30;gold;1\n");
    Path file = Files.writeString(other.resolve("pay.csv"), csv);
    String[] command = {
      "import", "statement-entries", file.toString(), "--format", declaration.toString()
    };
    // As an interrupted run has left it: a thousand records are noted as imported.
    Files.writeString(
        other.resolve("pay.csv.import"),
        "{\"of\":\"statement-entries at http://127.0.0.1:%d\",\"position\":\"1000 %s\",\"read\":1000,\"accepted\":1000}"
            .formatted(server.server().port(), checksum(csv.toString(), 1_000)));
    assertThat(run(server, command)).as(out + "" + err).isEqualTo(1);
    assertThat(out.toString())
        .contains("going on after 1,000 records")
        .contains("2,503 records: 2,500 new, 0 there already, 0 of these with other values, 3 rej");
    assertThat(other.resolve("pay.csv.import")).doesNotExist();
    assertThat(Files.readString(other.resolve("pay.csv.rejected.ndjson")))
        .contains("\"field\":\"at (/paid)\",\"reason\":\"not a time as it is declared\"")
        .contains("\"field\":\"amount (/dollars)\"")
        .contains("\"field\":\"kind\",\"reason\":\"must be fee, incentive or deduction\"");
    JsonNode statement =
        server.get("/v1/riders/r-1/statement?from=2025-01-02&to=2025-01-02&currency=USD").json();
    assertThat(statement.at("/total/incentive").asLong()).isEqualTo(214L * 125);

    Files.writeString(file, csv.toString().replace(";1.25", ";1.26"));
    Files.writeString(
        other.resolve("pay.csv.import"),
        "{\"of\":\"statement-entries at http://127.0.0.1:%d\",\"position\":\"1000 %s\"}"
            .formatted(server.server().port(), checksum(csv.toString(), 1_000)));
    assertThat(run(server, command)).isEqualTo(1);
    assertThat(err.toString()).contains("is not the one of which a part was imported");
  }

  /** The checksum of the first rows behind the head, as they are written. */
  private static String checksum(String csv, int rows) {
    CRC32 checksum = new CRC32();
    csv.lines()
        .skip(1)
        .limit(rows)
        .forEach(row -> checksum.update(row.getBytes(StandardCharsets.UTF_8)));
    return Long.toHexString(checksum.getValue());
  }

  @Test
  void positions_ofAnOldCsv_goTheWayOfThoseOfPhones() throws Exception {
    Path declaration =
        Files.writeString(
            other.resolve("gps.yaml"),
            """
            path: /old/gps
            content: csv
            fields:
              riderId: /courier
              at: { from: /when, pattern: yyyy-MM-dd HH:mm:ss, zone: Asia/Seoul }
              lat: /y
              lon: /x
              speed: { from: /kmh, unit: km/h }
            """);
    Path file =
        Files.writeString(
            other.resolve("gps.csv"),
            """
            when,courier,x,y,kmh
            2025-03-05 10:00:00,r-7,127.0,37.5,36
            2025-03-05 10:00:10,r-7,127.0,97.5,36
            2025-03-05 10:00:20,r-7,127.001,37.501,18
            """);
    String[] command = {"import", "positions", file.toString(), "--format", declaration.toString()};
    assertThat(run(server, command)).as(out + "" + err).isEqualTo(1);
    assertThat(out.toString()).contains("3 records: 2 new").contains("1 rejected");
    assertThat(Files.readString(other.resolve("gps.csv.rejected.ndjson")))
        .contains("{\"line\":3,\"field\":\"/y\"")
        .contains("2025-03-05 10:00:10,r-7,127.0,97.5,36");
    JsonNode traces = server.get("/v1/exports/traces").json().path("items");
    assertThat(traces).hasSize(2);
    assertThat(traces.get(0).path("speed").asDouble()).isEqualTo(10);
    assertThat(traces.get(1).path("at").asString()).isEqualTo("2025-03-05T01:00:20Z");
    assertThat(run(server, command)).isEqualTo(1);
    assertThat(out.toString()).contains("3 records: 0 new, 2 there already");
  }

  @Test
  void onlyAdmins_exportAndImport_andTheAuditHasIt() throws Exception {
    String operate = server.key("{\"name\":\"o\",\"scopes\":[\"operate\",\"read\"]}");
    assertThat(server.send(operate, "GET", "/v1/exports/keys", "", "").status()).isEqualTo(403);
    assertThat(server.send(operate, "POST", "/v1/imports/keys", "application/json", "[]").status())
        .isEqualTo(403);
    assertThat(server.get("/v1/exports/keys").status()).isEqualTo(200);
    assertThat(server.get("/v1/exports/nothing").status()).isEqualTo(404);
    assertThat(server.get("/v1/exports/traces?cursor=x").status()).isEqualTo(400);
    assertThat(server.get("/v1/exports/keys?limit=0").status()).isEqualTo(400);
    assertThat(server.post("/v1/imports/traces", "[]").status()).isEqualTo(404);
    assertThat(server.post("/v1/imports/deliveries", "[]").status()).isEqualTo(400);
    assertThat(server.post("/v1/imports/devices", "[{\"id\":\"d\",\"riderId\":\"r\"}]").status())
        .isEqualTo(200);
    String audit = server.get("/v1/audit").body();
    assertThat(audit)
        .contains("\"action\":\"records.exported\",\"target\":\"keys\"")
        .contains("\"action\":\"records.imported\",\"target\":\"devices\"");
  }
}
