package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What is older than {@code deliveries.keep}: archived, gone, and answered so. */
@Tag("process")
final class OldDeliveriesIT {
  private static final ZoneId SEOUL = ZoneId.of("Asia/Seoul");
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir Path data;
  @TempDir Path archive;

  private static String completed(String order, Instant at) {
    String place = "{\"lat\":37.5,\"lon\":127,\"address\":\"A\"}";
    return """
        {"orderId":"%s","shopId":"s-1","agencyId":"a-1","status":"COMPLETED","riderId":"r-1",\
        "fee":3500,"pickup":%s,"dropoff":%s,"createdAt":"%s","assignedAt":"%s",\
        "pickedUpAt":"%s","completedAt":"%s"}
        """
        .formatted(order, place, place, at, at, at, at)
        .strip();
  }

  private static Reply imported(RunningServer server, String lines) throws Exception {
    return server.send(
        server.adminKey(), "POST", "/v1/imports/deliveries", "application/x-ndjson", lines);
  }

  private static String id(RunningServer server, int place) throws Exception {
    return server.get("/v1/deliveries").json().path("items").path(place).path("id").asString();
  }

  @Test
  void old_isArchivedAndGone_andComesBackFromTheArchive() throws Exception {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Instant then = now.minus(40, ChronoUnit.DAYS);
    String old;
    String young;
    try (RunningServer server = RunningServer.start(data)) {
      String lines = completed("o-1", then) + "\n" + completed("o-2", now.minusSeconds(60));
      assertThat(imported(server, lines).json().path("accepted").asInt()).isEqualTo(2);
      young = id(server, 0);
      old = id(server, 1);
    }
    String[] settings = {"deliveries.keep=30 d", "archive.folder=" + archive};
    try (RunningServer server = RunningServer.start(data, settings)) {
      Program.await(() -> server.get("/v1/deliveries/" + old).status() == 410);
      assertThat(server.get("/v1/deliveries/" + old).body())
          .contains("/docs/errors#gone", "\"reason\":\"the delivery is no longer kept\"");
      assertThat(server.get("/v1/deliveries/" + old + "/events").status()).isEqualTo(410);
      assertThat(server.post("/v1/deliveries/" + old + "/cancel", "").status()).isEqualTo(410);
      assertThat(server.post("/v1/deliveries/" + old + "/track", "").status()).isEqualTo(410);
      assertThat(server.get("/v1/deliveries/" + young).status()).isEqualTo(200);
      assertThat(server.get("/v1/deliveries/" + "z".repeat(26)).status()).isEqualTo(404);
      assertThat(server.get("/v1/deliveries").json().path("items").size()).isOne();
      LocalDate day = LocalDate.ofInstant(then, SEOUL);
      String path = "/v1/riders/r-1/performance?from=%s&to=%s";
      assertThat(server.get(path.formatted(day, day)).status()).isEqualTo(410);
      LocalDate next = day.plusDays(2);
      assertThat(server.get(path.formatted(next, next)).status()).isEqualTo(200);

      String line = archived();
      assertThat(JSON.readTree(line).path("id").asString()).isEqualTo(old);
      assertThat(imported(server, line).json().path("accepted").asInt())
          .as("as it was, with its events")
          .isOne();
      assertThat(server.get("/v1/deliveries/" + old).status()).isEqualTo(200);
    }
  }

  private String archived() throws Exception {
    String sql = "SELECT record FROM '" + archive.resolve("deliveries/*.parquet") + "'";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      String line = rows.getString(1);
      assertThat(rows.next()).isFalse();
      return line;
    }
  }
}
