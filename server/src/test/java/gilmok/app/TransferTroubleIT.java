package gilmok.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import gilmok.cli.Commands;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * What goes wrong with an import, or would: damaged files, another server, what phones had sent.
 */
@Tag("process")
final class TransferTroubleIT {
  private static final String DECLARED =
      """
      into: statement-entries
      fields:
        id: /id
        riderId: /r
        at: /at
        kind: { constant: fee }
        amount: /amt
      """;

  @TempDir Path data;
  @TempDir Path folder;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(data);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private int run(RunningServer on, Object... arguments) {
    out = new StringWriter();
    err = new StringWriter();
    List<String> all = new ArrayList<>();
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    all.addAll(List.of("--url", "http://127.0.0.1:" + on.server().port(), "--key", on.adminKey()));
    return Commands.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }

  private static String entries(String prefix, int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(
          "{\"id\":\"%s%d\",\"riderId\":\"r-%d\",\"at\":\"2025-01-02T00:00:00Z\",\"kind\":\"fee\",\"amount\":%d}\n"
              .formatted(prefix, i, i % 7, 100 + i));
    }
    return lines.toString();
  }

  private Path file(String name, String content) throws Exception {
    return Files.writeString(folder.resolve(name), content);
  }

  private static byte[] packed(String text) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private int kept(RunningServer on) throws Exception {
    int count = 0;
    String cursor = "";
    do {
      JsonNode page = on.get("/v1/exports/statement-entries?limit=1000" + cursor).json();
      count += page.path("items").size();
      cursor = page.path("next").isNull() ? null : "&cursor=" + page.path("next").asString();
    } while (cursor != null);
    return count;
  }

  @Test
  void damagedGzip_bringsNothing() throws Exception {
    byte[] good = packed(entries("e", 3_000));
    for (int at : new int[] {good.length / 3, good.length / 2, good.length - 6}) {
      byte[] damaged = good.clone();
      damaged[at] ^= 4;
      Path file = Files.write(folder.resolve("damaged.ndjson.gz"), damaged);
      assertThat(run(server, "import", "statement-entries", file)).isEqualTo(1);
      assertThat(err.toString()).contains("the gzip file is damaged");
    }
    assertThat(kept(server)).isZero();

    byte[] more = packed(entries("f", 3_000));
    byte[] two = Arrays.copyOf(good, good.length + more.length);
    System.arraycopy(more, 0, two, good.length, more.length);
    Path both = Files.write(folder.resolve("two.ndjson.gz"), two);
    two[good.length + 2] ^= 1; // the second member's head
    Path cut = Files.write(folder.resolve("cut.ndjson.gz"), two);
    assertThat(run(server, "import", "statement-entries", cut)).isEqualTo(1);
    assertThat(err.toString()).contains("what follows one of its members is no gzip");
    assertThat(run(server, "import", "statement-entries", both)).as(out + "" + err).isZero();
    assertThat(kept(server)).isEqualTo(6_000);
  }

  @Test
  void badRecords_areNamed_andTheOthersTaken() throws Exception {
    Path format = file("b.yaml", DECLARED);
    String good = "{\"id\":\"%s\",\"r\":\"r-1\",\"at\":\"2025-01-02T00:00:00Z\",\"amt\":%s}\n";
    String lines =
        good.formatted("a", "1")
            + good.formatted("b", "1e400")
            + good.formatted("c", "1,\"amt\":2")
            + "\u0000\u0000\u0001\n"
            + good.formatted("d\u00ff", "1") // one byte, which is no UTF-8
            + "x".repeat((4 << 20) + 10)
            + "\n"
            + good.formatted("z", "2");
    Path file = Files.write(folder.resolve("b.ndjson"), lines.getBytes(ISO_8859_1));
    assertThat(run(server, "import", "statement-entries", file, "--format", format))
        .as(err.toString())
        .isEqualTo(1);
    assertThat(out.toString()).contains("7 records: 2 new").contains("5 rejected");
    assertThat(Files.readString(folder.resolve("b.ndjson.rejected.ndjson")))
        .contains("\"line\":2,\"field\":\"amount (/amt)\",\"reason\":\"not a number\"")
        .contains("\"line\":3,\"field\":\"\",\"reason\":\"no JSON object, or a name in it twice\"")
        .contains("\"line\":4,\"field\":\"\",\"reason\":\"no JSON object\"")
        .contains("\"line\":5,\"field\":\"\",\"reason\":\"has bytes that are no UTF-8\"")
        .contains("\"line\":6,\"field\":\"\",\"reason\":\"over 4194304 characters");

    Path ours = file("ours.ndjson", entries("o", 2) + "\u0000\u0000\n" + entries("p", 2));
    assertThat(run(server, "import", "statement-entries", ours)).as(err.toString()).isEqualTo(1);
    assertThat(out.toString()).contains("5 records: 4 new").contains("1 rejected");
  }

  @Test
  void rejects_areAsTheyWere_ofAllSources_andNeverTheSource() throws Exception {
    String head = "id,riderId,at,kind,amount\n";
    String bad = "\"k,1\",\"r \"\"x\"\"\n2\",2025-01-02T00:00:00Z,feee,1";
    Path first = file("a.csv", head + bad + "\n");
    Path second = file("b.csv", head + "l,r-1,2025-01-02T00:00:00Z,fee,1\nm\",x\"y,z\n");
    Path rejects = folder.resolve("rejects");
    assertThat(run(server, "import", "statement-entries", first, second, "--rejects", rejects))
        .isEqualTo(1);
    List<String> lines = Files.readAllLines(rejects);
    assertThat(lines).hasSize(2);
    assertThat(
            new tools.jackson.databind.ObjectMapper()
                .readTree(lines.getFirst())
                .path("record")
                .asString())
        .isEqualTo(bad);

    assertThat(run(server, "import", "statement-entries", first, "--rejects", first)).isEqualTo(2);
    assertThat(first).content().startsWith(head);
    assertThat(
            run(server, "import", "statement-entries", first, "--rejects", folder.resolve("no/x")))
        .isEqualTo(2);
    assertThat(err.toString()).contains("there is no folder").doesNotContain("\tat ");
    Path twice = file("twice.csv", "id,riderId,at,kind,amount,amount\n");
    assertThat(run(server, "import", "statement-entries", twice)).isEqualTo(1);
    assertThat(err.toString()).contains("the column \"amount\" is there twice");
    Path array = file("array.json", "[{\"id\":\"a\"}]");
    assertThat(run(server, "import", "statement-entries", array)).isEqualTo(1);
    assertThat(err.toString()).contains("give a JSON object a line");
  }

  @Test
  void anotherDataFolderBehindTheUrl_isSeen() throws Exception {
    Path file = file("e.ndjson", entries("e", 3_000));
    assertThat(run(server, "import", "statement-entries", file)).isZero();
    String state =
        "{\"of\":\"statement-entries at http://127.0.0.1:%d\",\"position\":\"\",\"node\":\"%s\",\"sequence\":%d}";
    Path noted = folder.resolve("e.ndjson.import");
    int port = server.server().port();
    String node = server.get("/v1/ledger").json().path("node").asString();

    // As a run has left it that had begun before the folder was another, or was put back.
    Files.writeString(noted, state.formatted(port, "otherotherot", 1));
    Files.writeString(
        noted, Files.readString(noted).replace("\"position\":\"\"", "\"position\":\"0 0\""));
    assertThat(run(server, "import", "statement-entries", file)).isEqualTo(1);
    assertThat(err.toString()).contains("has another data folder than the one");

    Files.writeString(
        noted,
        state
            .formatted(port, node, 1_000_000_000)
            .replace("\"position\":\"\"", "\"position\":\"0 0\""));
    assertThat(run(server, "import", "statement-entries", file)).isEqualTo(1);
    assertThat(err.toString()).contains("of an earlier time").contains("--again");
    assertThat(run(server, "import", "statement-entries", file, "--again")).isZero();
    assertThat(kept(server)).isEqualTo(3_000);
  }

  @Test
  void actionsOfThePast_moveNoDeliveryAnew_andThoseThatWaitComeAlong() throws Exception {
    String moved = delivery("moved");
    action(moved, "pickup", "r-1");
    await(moved, "PICKED_UP");
    action(moved, "pickup", "r-1"); // a late one
    String ignored = delivery("ignored");
    action(ignored, "fail", "r-2"); // not the rider's
    server.post("/v1/deliveries/" + ignored + "/assign", "{\"riderId\":\"r-2\"}");
    String early = delivery("early");
    action(early, "complete", "r-1");
    RunningServer old = server;
    Program.await(() -> old.metric("gilmok_deliveries_lag_records") == 0);

    Path exported = folder.resolve("all");
    assertThat(run(server, "export", "--out", exported)).as(err.toString()).isZero();
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    try (RunningServer next = RunningServer.start(elsewhere)) {
      assertThat(run(next, "import", "all", exported)).as(out + "" + err).isZero();
      assertThat(out.toString())
          .contains("all as it was exported")
          .doesNotContain("keeps other values");
      Program.await(() -> next.metric("gilmok_deliveries_lag_records") == 0);
      for (String id : List.of(moved, ignored, early)) {
        assertThat(next.get("/v1/deliveries/" + id).body())
            .isEqualTo(server.get("/v1/deliveries/" + id).body());
        assertThat(next.get("/v1/deliveries/" + id + "/events").body())
            .isEqualTo(server.get("/v1/deliveries/" + id + "/events").body());
      }
      // The one that came early still waits, and is applied in its turn.
      assertThat(next.post("/v1/deliveries/" + early + "/pickup", "{}").status()).isEqualTo(200);
      Program.await(
          () ->
              next.get("/v1/deliveries/" + early)
                  .json()
                  .path("status")
                  .asString()
                  .equals("COMPLETED"));
      // What a phone sends from now on counts.
      Reply phone =
          next.post(
              "/v1/actions",
              "{\"riderId\":\"r-1\",\"at\":\"%s\",\"type\":\"complete\",\"deliveryId\":\"%s\"}"
                  .formatted(Instant.now(), moved));
      assertThat(phone.status()).isEqualTo(202);
      Program.await(
          () ->
              next.get("/v1/deliveries/" + moved)
                  .json()
                  .path("status")
                  .asString()
                  .equals("COMPLETED"));
    }
  }

  /** A delivery that is assigned to r-1. */
  private String delivery(String order) throws Exception {
    String id =
        server.post("/v1/deliveries", DeliveryRig.order(order)).json().path("id").asString();
    assertThat(server.post("/v1/deliveries/" + id + "/accept", "").status()).isEqualTo(200);
    assertThat(server.post("/v1/deliveries/" + id + "/assign", "{\"riderId\":\"r-1\"}").status())
        .isEqualTo(200);
    return id;
  }

  private void action(String delivery, String type, String rider) throws Exception {
    Reply reply =
        server.post(
            "/v1/actions",
            "{\"riderId\":\"%s\",\"at\":\"%s\",\"type\":\"%s\",\"deliveryId\":\"%s\",\"id\":\"%d\"}"
                .formatted(rider, Instant.now(), type, delivery, System.nanoTime()));
    assertThat(reply.status()).as(reply.body()).isEqualTo(202);
  }

  private void await(String delivery, String status) throws Exception {
    Program.await(
        () ->
            server
                .get("/v1/deliveries/" + delivery)
                .json()
                .path("status")
                .asString()
                .equals(status));
  }
}
