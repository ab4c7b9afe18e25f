package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * The data folder of each earlier version is opened by this one: everything is there, more is
 * written, and the formats are those of docs/compatibility.md, so that the page says which versions
 * can go back.
 */
@Tag("server")
final class EarlierFolderIT {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([^|]+)` \\| (\\d+) \\| (\\d+) \\| [^|]+ \\|$");

  @TempDir Path folder;

  static List<Path> archives() throws IOException {
    return EarlierFolder.archives();
  }

  @ParameterizedTest
  @MethodSource("archives")
  void folder_isOpened_movedOn_andOpenedAgain(Path archive) throws Exception {
    EarlierFolder earlier = EarlierFolder.unpacked(archive, folder);
    assertThat(earlier.questions()).isGreaterThan(70);
    String delivery;
    try (RunningServer server = earlier.start()) {
      assertThat(earlier.differences(server, null)).isEmpty();
      assertAddsUp(server);
      assertWebhooksWait(server);
      assertThat(toldToThePhone(server)).contains("positionPeriodic,60");
      assertThat(toldToThePhone(server)).doesNotContain("positionPeriodic,60");
      assertThat(sentAgain(server).path("duplicates").asInt()).isEqualTo(1);
      delivery = movedOn(server);
      erase(server);
      assertAddsUp(server);
    }
    assertThat(FolderFormats.of(earlier.data())).isEqualTo(formats(2));
    try (RunningServer server = earlier.start()) {
      assertThat(server.get("/v1/deliveries/" + delivery).json().path("status").asString())
          .isEqualTo("COMPLETED");
      assertThat(earlier.differences(server, "/v1/deliveries?").stream().filter(this::isUnmoved))
          .isEmpty();
      assertThat(toldToThePhone(server)).doesNotContain("positionPeriodic,60");
      assertAddsUp(server);
    }
  }

  /** The page's column of the newest release is what that release wrote. */
  @Test
  void page_hasTheFormatsOfTheNewestRelease() throws Exception {
    EarlierFolder newest = EarlierFolder.unpacked(EarlierFolder.archives().getLast(), folder);
    assertThat(FolderFormats.of(newest.data())).isEqualTo(formats(3));
  }

  /** A folder is small enough that each release can add its own. */
  @Test
  void archives_areSmall() throws Exception {
    for (Path archive : archives()) {
      assertThat(Files.size(archive)).as(archive.toString()).isLessThan(300_000);
    }
  }

  /** Whether a difference is about something that {@link #movedOn} did not change. */
  private boolean isUnmoved(String difference) {
    return !difference.startsWith("/v1/exports/")
        && !difference.startsWith("/v1/devices")
        && !difference.startsWith("/v1/riders/r-1/statement");
  }

  private static void assertAddsUp(RunningServer server) throws Exception {
    AccountRig.await(
        () ->
            server
                .get("/v1/ledger")
                .json()
                .path("items")
                .valueStream()
                .allMatch(item -> item.path("waiting").asLong(1) == 0));
    JsonNode ledger = server.get("/v1/ledger").json();
    assertThat(ledger.path("items")).isNotEmpty();
    for (JsonNode item : ledger.path("items")) {
      for (String none : List.of("residue", "lost", "skipped")) {
        assertThat(item.path(none).asLong(-1)).as("%s of %s", none, item).isZero();
      }
    }
  }

  /** Those of the partner that never answered still wait, or are under way. */
  private static void assertWebhooksWait(RunningServer server) throws Exception {
    AccountRig.await(
        () -> {
          JsonNode partner = server.get("/v1/partners/shop-kept?kind=shop").json();
          return partner.path("waiting").asInt() + partner.path("telling").asInt() >= 18;
        });
  }

  /** What a phone is told for which a command waits. */
  private static String toldToThePhone(RunningServer server) throws Exception {
    return server
        .send(
            "",
            "GET",
            "/osmand?id=phone-kept-0&lat=37.5&lon=127&timestamp=1700000000&key="
                + server.adminKey(),
            "",
            "")
        .body();
  }

  /** Sends the oldest log line once more: its key is in the snapshot of the earlier version. */
  private static JsonNode sentAgain(RunningServer server) throws Exception {
    JsonNode line = server.get("/v1/exports/logs?limit=1").json().path("items").path(0);
    return server.post("/v1/logs", line.toString()).json();
  }

  /** Writes something of each kind; returns a delivery that is completed. */
  private static String movedOn(RunningServer server) throws Exception {
    String id =
        post(
                server,
                "/v1/deliveries",
                "{\"orderId\":\"o-new\",\"shopId\":\"shop-kept\",\"pickup\":"
                    + "{\"lat\":37.5,\"lon\":127.0,\"address\":\"A\"},\"dropoff\":"
                    + "{\"lat\":37.6,\"lon\":127.1,\"address\":\"B\",\"phone\":\"010\"}}")
            .path("id")
            .asString();
    post(server, "/v1/deliveries/" + id + "/accept", "");
    post(server, "/v1/deliveries/" + id + "/assign", "{\"riderId\":\"r-1\"}");
    post(server, "/v1/deliveries/" + id + "/pickup", "");
    post(server, "/v1/deliveries/" + id + "/complete", "");
    String key = server.key("{\"name\":\"new\",\"scopes\":[\"collect\"]}");
    assertThat(key).isNotEmpty();
    post(
        server,
        "/v1/statement-entries",
        "{\"id\":\"e-new\",\"riderId\":\"r-9\",\"at\":\"2026-11-01T09:00:00Z\",\"kind\":\"fee\","
            + "\"amount\":1}");
    post(server, "/v1/traces", "{\"riderId\":\"r-9\",\"at\":1700000000000,\"lat\":1,\"lon\":1}");
    return id;
  }

  /** Erases a rider, of whom no sink has the one record: log and cursors have the formats of it. */
  private static void erase(RunningServer server) throws Exception {
    post(server, "/v1/sinks/files/pause", "");
    post(
        server,
        "/v1/traces",
        "{\"riderId\":\"r-erased\",\"at\":1700000000000,\"lat\":1,\"lon\":1}");
    String path = "/v1/riders/r-erased/data";
    RunningServer.Reply asked = server.send(server.adminKey(), "DELETE", path, "", "");
    String confirmed = path + "?confirm=" + asked.json().path("confirm").asString();
    String job =
        server.send(server.adminKey(), "DELETE", confirmed, "", "").json().path("job").asString();
    AccountRig.await(
        () -> server.get("/v1/erasures/" + job).json().path("state").asString().equals("done"));
    post(server, "/v1/sinks/files/resume", "");
  }

  private static JsonNode post(RunningServer server, String path, String body) throws Exception {
    RunningServer.Reply reply = server.post(path, body);
    assertThat(reply.status() / 100).as(path + ": " + reply).isEqualTo(2);
    return reply.json();
  }

  /** A column of the page's table of formats: 2 is this version's, 3 the newest release's. */
  private static Map<String, Long> formats(int column) throws IOException {
    Map<String, Long> formats = new TreeMap<>();
    String page = Files.readString(Repository.root().resolve("docs/compatibility.md"));
    ROW.matcher(page)
        .results()
        .forEach(row -> formats.put(row.group(1), Long.parseLong(row.group(column))));
    return formats;
  }
}
