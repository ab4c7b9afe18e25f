package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What is older than {@code statements.keep}: archived, gone, never counted anew. */
@Tag("process")
final class OldEntriesIT {
  private static final ZoneId SEOUL = ZoneId.of("Asia/Seoul");

  @TempDir Path data;
  @TempDir Path archive;

  private static String entry(String id, Instant at) {
    return "{\"id\":\"%s\",\"riderId\":\"r-1\",\"at\":\"%s\",\"kind\":\"fee\",\"amount\":100}"
        .formatted(id, at);
  }

  private static String statement(Instant from, Instant to) {
    return "/v1/riders/r-1/statement?from=%s&to=%s"
        .formatted(LocalDate.ofInstant(from, SEOUL), LocalDate.ofInstant(to, SEOUL));
  }

  @Test
  void old_isArchivedAndGone_andIsNotTakenAgain() throws Exception {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Instant then = now.minus(60, ChronoUnit.DAYS);
    String old = entry("old", then);
    try (RunningServer server = RunningServer.start(data)) {
      String both = "[" + old + "," + entry("young", now.minusSeconds(60)) + "]";
      assertThat(server.post("/v1/statement-entries", both).json().path("accepted").asInt())
          .isEqualTo(2);
      assertThat(server.get(statement(then, now)).json().at("/total/fee").asInt()).isEqualTo(200);
    }
    String[] settings = {"statements.keep=31 d", "archive.folder=" + archive};
    try (RunningServer server = RunningServer.start(data, settings)) {
      Program.await(() -> server.get(statement(then, now)).status() == 410);
      assertThat(server.get(statement(then, now)).body())
          .contains("\"field\":\"from\"", "entries of that time are no longer kept");
      assertThat(server.get(statement(then, now) + "&entries=true").status()).isEqualTo(410);
      Instant within = now.minus(31, ChronoUnit.DAYS);
      assertThat(server.get(statement(within, now)).json().at("/total/fee").asInt()).isEqualTo(100);
      String more = "[" + entry("new", now) + "," + old + "]";
      assertThat(server.post("/v1/statement-entries", more).status()).isEqualTo(410);
      assertThat(server.post("/v1/statement-entries", more).body()).contains("\"[1].at\"");
      assertThat(server.get(statement(within, now)).json().at("/total/count").asInt())
          .as("nothing of it is stored")
          .isOne();
      Program.await(() -> archived().equals("old"));
      RunningServer.Reply imported =
          server.send(
              server.adminKey(),
              "POST",
              "/v1/imports/statement-entries",
              "application/x-ndjson",
              old);
      assertThat(imported.json().at("/rejected/0/field").asString()).isEqualTo("at");
    }
  }

  private String archived() throws Exception {
    if (!archive.resolve("statements/manifest.ndjson").toFile().exists()) {
      return "";
    }
    String sql = "SELECT string_agg(id) FROM '" + archive.resolve("statements/*.parquet") + "'";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }
}
