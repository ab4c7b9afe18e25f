package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Run sheets over HTTP, planned on threads of the server's process. */
@Tag("process")
final class RunSheetIT {
  /** Nodes along a street, a minute apart; shops at 1 and 3, customers at 2 and 4. */
  private static final String STREET =
      "\"matrix\":[[0,1,2,3,4],[1,0,1,2,3],[2,1,0,1,2],[3,2,1,0,1],[4,3,2,1,0]],\"start\":0";

  private static final String ORDERS =
      "\"orders\":[{\"orderId\":\"far\",\"pickup\":3,\"dropoff\":4},"
          + "{\"orderId\":\"near\",\"pickup\":1,\"dropoff\":2,\"dueBy\":1}]";
  private static final String GOOD = "{" + STREET + "," + ORDERS + "}";

  @TempDir Path data;

  /**
   * A problem whose plan is not proved optimal in time, so that planning takes its whole budget.
   */
  static String large(int budgetMillis) {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder json = new StringBuilder("{\"budgetMs\":" + budgetMillis + ",\"speed\":1");
    json.append(",\"start\":").append(point(random)).append(",\"orders\":[");
    for (int i = 0; i < 100; i++) {
      json.append(i == 0 ? "" : ",");
      json.append("{\"orderId\":\"").append(i).append("\",\"pickup\":").append(point(random));
      json.append(",\"dropoff\":").append(point(random)).append('}');
    }
    return json.append("]}").toString();
  }

  private static String point(SplittableRandom random) {
    return String.format(
        Locale.ROOT,
        "{\"lat\":%.5f,\"lon\":%.5f}",
        random.nextDouble(37.4, 37.6),
        random.nextDouble(126.9, 127.1));
  }

  private static List<String> stops(JsonNode sheet) {
    return sheet
        .path("stops")
        .valueStream()
        .map(
            stop ->
                stop.path("node").asInt()
                    + " "
                    + stop.path("orderId").asString()
                    + " "
                    + stop.path("kind").asString()
                    + " "
                    + stop.path("arriveAt").asInt())
        .toList();
  }

  @Test
  void plan_isTheBestAndProvenSo() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Reply reply = server.post("/v1/run-sheets", GOOD);
      assertThat(reply.status()).as(reply.body()).isEqualTo(200);
      assertThat(stops(reply.json()))
          .containsExactly(
              "1 near pickup 1", "2 near dropoff 2", "3 far pickup 3", "4 far dropoff 4");
      assertThat(reply.json().path("cost").asInt()).isEqualTo(4);
      assertThat(reply.json().path("bound").asInt()).isEqualTo(4);
      assertThat(reply.json().path("optimal").asBoolean()).isTrue();
      assertThat(reply.json().path("lateness").asInt()).isEqualTo(1);
      assertThat(reply.json().path("late").values()).hasSize(1);
      assertThat(reply.json().path("late").path(0).asString()).isEqualTo("near");
      assertThat(server.metric("gilmok_run_sheets_total{outcome=\"optimal\"}")).isEqualTo(1);
      String back = GOOD.replace("\"start\":0", "\"start\":0,\"end\":0,\"serviceTime\":10");
      JsonNode sheet = server.post("/v1/run-sheets", back).json();
      assertThat(sheet.path("cost").asInt()).isEqualTo(8);
      assertThat(sheet.path("stops").path(3).path("arriveAt").asInt()).isGreaterThanOrEqualTo(34);
    }
  }

  @Test
  void coordinates_areAnsweredWithCoordinates() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      JsonNode sheet = server.post("/v1/run-sheets", large(50)).json();
      assertThat(sheet.path("stops").values()).hasSize(200);
      assertThat(sheet.path("stops").path(0).path("lat").asDouble()).isBetween(37.4, 37.6);
      assertThat(sheet.path("stops").path(0).has("node")).isFalse();
      assertThat(sheet.path("optimal").asBoolean()).isFalse();
      assertThat(sheet.path("bound").asLong()).isLessThan(sheet.path("cost").asLong());
    }
  }

  @Test
  void givenPlan_isLookedAt() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      String plan =
          ",\"plan\":[{\"orderId\":\"far\",\"kind\":\"pickup\"},{\"orderId\":\"near\",\"kind\":"
              + "\"dropoff\"},{\"orderId\":\"far\",\"kind\":\"dropoff\"}]}";
      JsonNode sheet = server.post("/v1/run-sheets", "{" + STREET + "," + ORDERS + plan).json();
      assertThat(stops(sheet))
          .containsExactly("3 far pickup 3", "2 near dropoff 4", "4 far dropoff 6");
      assertThat(sheet.path("violations").toString())
          .isEqualTo(
              "[{\"index\":1,\"orderId\":\"near\",\"rule\":\"not-on-board\"},"
                  + "{\"orderId\":\"near\",\"rule\":\"not-delivered\"}]");
      assertThat(sheet.has("optimal")).isFalse();
    }
  }

  @Test
  void whatIsWrong_isRefusedNamingIt() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      String[][] bad = {
        {"{", "unreadable", "body"},
        {GOOD.replace("[[0,", "[["), "invalid", "matrix[0]"},
        {GOOD.replace("[[0,1", "[[0,-1"), "invalid", "matrix[0][1]"},
        {GOOD.replace("\"pickup\":3", "\"pickup\":4"), "invalid", "orders[0].dropoff"},
        {GOOD.replace("}]}", "}],\"budgetMs\":1}"), "invalid", "budgetMs"},
        {GOOD.replace("\"start\":0", "\"start\":{\"lat\":1,\"lon\":1}"), "invalid", "start"},
      };
      for (String[] one : bad) {
        Reply reply = server.post("/v1/run-sheets", one[0]);
        assertThat(reply.status()).as(one[0]).isEqualTo(400);
        assertThat(reply.json().path("type").asString()).isEqualTo("/docs/errors#" + one[1]);
        assertThat(reply.json().path("field").asString()).isEqualTo(one[2]);
        assertThat(reply.json().path("reason").asString()).isNotEmpty();
      }
      assertThat(server.metric("gilmok_run_sheets_total{outcome=\"invalid\"}"))
          .isEqualTo(bad.length);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 10000, full", "1, 10, waited"})
  void noPlaceOrNoTurn_isRefused_andACallerWhoGoesAwayLeavesItsPlace(
      int queueMax, int budgetMillis, String outcome) throws Exception {
    try (RunningServer server =
        RunningServer.start(data, "run-sheets.workers=1", "run-sheets.queue-max=" + queueMax)) {
      String small = GOOD.replace("\"start\":0", "\"start\":0,\"budgetMs\":" + budgetMillis);
      try (Socket gone = new Socket(InetAddress.getLoopbackAddress(), server.uri("").getPort())) {
        post(gone, server.adminKey(), large(10_000));
        Program.await(() -> server.metric("gilmok_run_sheets_planned_now") == 1);
        Reply refused = server.post("/v1/run-sheets", small);
        assertThat(refused.status()).as(refused.body()).isEqualTo(503);
        assertThat(refused.json().path("type").asString()).isEqualTo("/docs/errors#busy");
        assertThat(server.metric("gilmok_run_sheets_total{outcome=\"" + outcome + "\"}"))
            .isEqualTo(1);
        assertThat(server.metric("gilmok_run_sheets_planned_now")).isEqualTo(1);
      }
      Program.await(() -> server.metric("gilmok_run_sheets_total{outcome=\"abandoned\"}") == 1);
      assertThat(server.post("/v1/run-sheets", GOOD).status()).isEqualTo(200);
    }
  }

  private static void post(Socket socket, String key, String body) throws Exception {
    String head =
        "POST /v1/run-sheets HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Api-Key: "
            + key
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
  }
}
