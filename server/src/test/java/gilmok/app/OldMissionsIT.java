package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ended longer ago than {@code missions.keep}: archived, gone, not put again. */
@Tag("process")
final class OldMissionsIT {
  private static final String OLD = "/v1/missions/old";
  private static final String PROGRESS = "/v1/riders/r-1/missions/old/progress";

  private static final String SETTLE = "/v1/riders/r-1/missions/settle";

  @TempDir Path data;
  @TempDir Path archive;

  private static String until(Instant end) {
    return "{\"goal\":1,\"to\":\"" + end + "\"}";
  }

  @Test
  void old_isArchivedAndGone_andIsNotPutAgain() throws Exception {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Instant then = now.minus(60, ChronoUnit.DAYS);
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(put(server, OLD, until(then)).status()).isEqualTo(200);
      assertThat(put(server, "/v1/missions/empty", until(then)).status()).isEqualTo(200);
      String young = until(now.minus(29, ChronoUnit.DAYS));
      assertThat(put(server, "/v1/missions/young", young).status()).isEqualTo(200);
      assertThat(put(server, PROGRESS, "{\"count\":1}").status()).isEqualTo(200);
      String other = PROGRESS.replace("old", "young");
      assertThat(put(server, other, "{\"count\":1}").status()).isEqualTo(200);
    }
    String[] settings = {"missions.keep=31 d", "archive.folder=" + archive};
    try (RunningServer server = RunningServer.start(data, settings)) {
      Program.await(() -> archived().equals("/empty, r-1/old"));
      assertThat(put(server, PROGRESS, "{\"count\":2}").status()).isEqualTo(410);
      assertThat(put(server, PROGRESS, "{\"count\":2}").body())
          .contains("\"field\":\"mission\"", "the mission ended too long ago");
      assertThat(put(server, OLD, until(now.plusSeconds(600))).status()).isEqualTo(410);
      assertThat(put(server, "/v1/missions/late", until(then)).body())
          .contains("\"status\":410", "\"field\":\"to\"");
      Program.await(() -> server.get("/v1/missions/empty").status() == 404);
      assertThat(put(server, PROGRESS.replace("old", "empty"), "{}").status()).isEqualTo(404);
      String imported =
          imported(
              server,
              "mission-progress",
              "{\"riderId\":\"r-2\",\"missionId\":\"old\",\"progress\":{}}");
      assertThat(imported).contains("\"field\":\"missionId\"", "no longer kept");
      assertThat(imported(server, "missions", "{\"id\":\"late\",\"to\":\"" + then + "\"}"))
          .contains("\"field\":\"to\"", "no longer kept");
      String settled = server.send(server.adminKey(), "POST", SETTLE, "", "").body();
      assertThat(settled).isEqualTo("{\"items\":[],\"progress\":{}}");
      assertThat(server.get("/v1/exports/mission-progress").body())
          .contains("\"missionId\":\"young\"", "settledAt")
          .doesNotContain("\"old\"");
    }
  }

  private static RunningServer.Reply put(RunningServer server, String path, String body)
      throws Exception {
    return server.send(server.adminKey(), "PUT", path, "application/json", body);
  }

  private static String imported(RunningServer server, String dataset, String record)
      throws Exception {
    return server
        .send(server.adminKey(), "POST", "/v1/imports/" + dataset, "application/x-ndjson", record)
        .body();
  }

  private String archived() throws Exception {
    if (!archive.resolve("missions/manifest.ndjson").toFile().exists()) {
      return "";
    }
    String sql =
        "SELECT string_agg(id, ', ' ORDER BY id) FROM (SELECT coalesce(rider_id, '') || '/' ||"
            + " mission_id AS id FROM '"
            + archive.resolve("missions/*.parquet")
            + "')";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }
}
