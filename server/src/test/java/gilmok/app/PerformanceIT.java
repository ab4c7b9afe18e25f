package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How riders did, over HTTP: at once, as a job over a restart, and as the answer to an upload. */
@Tag("process")
final class PerformanceIT {
  private static final String DAY = "2026-03-05";
  @TempDir Path data;
  @TempDir Path formats;
  private RunningServer server;
  private boolean isRunning;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(
        formats.resolve("app.yaml"),
        """
        path: /data/agents/actions
        stream: actions
        records: /actions
        fields: { riderId: "body:/agentId", at: /at, type: /type }
        then: indicators
        answer: { body: '{"success":true}' }
        """);
    restart();
  }

  private void restart() throws Exception {
    if (isRunning) {
      server.close();
    }
    isRunning = false;
    server =
        RunningServer.start(
            data, "performance.late=3650d", "collect.formats=" + formats, "jobs.waiting-max=2");
    isRunning = true;
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private static String ride(String order, String rider, String day, double... at) {
    return """
        {"orderId":"%s","shopId":"s-1","agencyId":"a-1","status":"COMPLETED","riderId":"%s",
         "pickup":{"lat":%s,"lon":127,"address":"A"},"dropoff":{"lat":%s,"lon":127,"address":"B"},
         "dueBy":"%sT12:40:00+09:00","createdAt":"%sT12:00:00+09:00",
         "assignedAt":"%sT12:%s:00+09:00","pickedUpAt":"%sT12:%s:00+09:00",
         "completedAt":"%sT12:%s:00+09:00"}
        """
            .formatted(
                order,
                rider,
                at[0],
                at[1],
                day,
                day,
                day,
                two(at[2]),
                day,
                two(at[3]),
                day,
                two(at[4]))
            .replaceAll("\\s*\n\\s*", "")
        + "\n";
  }

  private static String two(double minute) {
    return "%02d".formatted((int) minute);
  }

  /** Two deliveries of one tour of r-1, and one of r-2. */
  private void ride(String day) throws Exception {
    String lines =
        ride(day + "-1", "r-1", day, 37.000, 37.003, 10, 12, 20)
            + ride(day + "-2", "r-1", day, 37.001, 37.002, 11, 14, 45)
            + ride(day + "-3", "r-2", day, 37.0, 37.1, 10, 20, 30);
    Reply reply =
        server.send(
            server.adminKey(), "POST", "/v1/imports/deliveries", "application/x-ndjson", lines);
    assertThat(reply.json().path("accepted").asInt()).as(reply.body()).isEqualTo(3);
  }

  private JsonNode job(String id) throws Exception {
    Program.await(
        () ->
            List.of("done", "failed")
                .contains(server.get("/v1/jobs/" + id).json().path("state").asString()));
    JsonNode job = server.get("/v1/jobs/" + id).json();
    assertThat(job.path("state").asString()).as(job.toString()).isEqualTo("done");
    return job;
  }

  @Test
  void aRidersDay_isAnsweredAtOnce_andAsCsv() throws Exception {
    ride(DAY);
    for (int minute = 8; minute <= 12; minute++) {
      long at = Instant.parse(DAY + "T03:%02d:00Z".formatted(minute)).toEpochMilli();
      String trace = "{\"riderId\":\"r-1\",\"at\":%d,\"lat\":37.0,\"lon\":127}".formatted(at);
      assertThat(server.post("/v1/traces", trace).status()).isEqualTo(202);
    }
    String day = "/v1/riders/r-1/performance?from=" + DAY + "&to=" + DAY;
    Reply reply = server.get(day);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    JsonNode total = reply.json().path("total");
    assertThat(total.path("deliveries").asInt()).isEqualTo(2);
    assertThat(total.path("due").asInt()).isEqualTo(2);
    assertThat(total.path("onTime").asInt()).isEqualTo(1);
    assertThat(total.path("lateSeconds").asInt()).isEqualTo(300);
    assertThat(total.path("positions").asInt()).isEqualTo(5);
    assertThat(total.path("idleSeconds").asInt()).isEqualTo(120);
    assertThat(total.path("shopWaits").asInt()).as("the second shop is 111 m away").isEqualTo(1);
    assertThat(total.path("tours").asInt()).isEqualTo(1);
    assertThat(total.path("toursProven").asInt()).isEqualTo(1);
    // Driven: shop 0, shop 1, door 3, door 2; the best order is 0, 1, 2, 3.
    assertThat(total.path("drivenMetres").asInt()).isBetween(443, 447);
    assertThat(total.path("bestMetres").asInt()).isBetween(332, 336);
    assertThat(server.get(day + "&format=csv").body())
        .startsWith("date,riderId,deliveries,")
        .contains("\r\n" + DAY + ",\"r-1\",2,0,2,2,2,1,300,");

    String key = server.key("{\"name\":\"r\",\"scopes\":[\"read\"],\"rider\":\"r-1\"}");
    assertThat(server.send(key, "GET", day, "", "").status()).isEqualTo(200);
    assertThat(server.send(key, "GET", day.replace("r-1", "r-2"), "", "").status()).isEqualTo(403);
    assertThat(server.get(day.replace("to=" + DAY, "to=2026-03-04")).status()).isEqualTo(400);
    assertThat(server.get(day.replace(DAY, "2020-03-05")).body()).contains("\"days\":[]");
  }

  @Test
  void manyDays_areAJob_thatGoesOnAfterARestart() throws Exception {
    ride("2026-03-05");
    ride("2026-03-07");
    Reply asked = server.get("/v1/performance?from=2026-01-01&to=2026-03-31&agencyId=a-1");
    assertThat(asked.status()).as(asked.body()).isEqualTo(202);
    String id = asked.json().path("job").asString();
    restart();
    JsonNode result = job(id).path("result");
    assertThat(job(id).path("of").asInt()).isEqualTo(90);
    assertThat(result.path("items")).hasSize(2);
    assertThat(result.at("/items/0/riderId").asString()).isEqualTo("r-1");
    assertThat(result.at("/items/0/deliveries").asInt()).isEqualTo(4);
    assertThat(result.at("/total/deliveries").asInt()).isEqualTo(6);
    assertThat(server.get("/v1/jobs/" + id + "?format=csv").body().lines()).hasSize(5);
    restart();
    assertThat(server.get("/v1/jobs/" + id).json().path("state").asString())
        .as("what is done is kept")
        .isEqualTo("done");

    String bound = server.key("{\"name\":\"a\",\"scopes\":[\"read\"],\"agency\":\"a-2\"}");
    assertThat(server.send(bound, "GET", "/v1/jobs/" + id, "", "").status()).isEqualTo(403);
    Reply own =
        server.send(
            bound, "GET", "/v1/performance?from=" + DAY + "&to=" + DAY + "&agencyId=a-2", "", "");
    assertThat(own.status()).isEqualTo(202);
    job(own.json().path("job").asString());
    assertThat(
            server
                .send(bound, "GET", "/v1/jobs/" + own.json().path("job").asString(), "", "")
                .status())
        .isEqualTo(200);
    assertThat(server.send(server.adminKey(), "DELETE", "/v1/jobs/" + id, "", "").status())
        .isEqualTo(204);
    assertThat(server.get("/v1/jobs/" + id).status()).isEqualTo(404);
    restart();
    assertThat(server.get("/v1/jobs/" + id).status()).isEqualTo(404);
  }

  @Test
  void everybody_meansRidersWithoutDeliveries_too() throws Exception {
    for (int minute = 8; minute <= 12; minute++) {
      long at = Instant.parse(DAY + "T03:%02d:00Z".formatted(minute)).toEpochMilli();
      String trace = "{\"riderId\":\"r-9\",\"at\":%d,\"lat\":37.0,\"lon\":127}".formatted(at);
      assertThat(server.post("/v1/traces", trace).status()).isEqualTo(202);
    }
    JsonNode asked = server.get("/v1/performance?from=" + DAY + "&to=" + DAY).json();
    JsonNode result = job(asked.path("job").asString()).path("result");
    assertThat(result.at("/items/0/riderId").asString()).isEqualTo("r-9");
    assertThat(result.at("/items/0/idleSeconds").asInt()).isEqualTo(240);
  }

  @Test
  void oneKeysJobs_leaveRoomForOthers_andAreEndedByThatKeyAlone() throws Exception {
    String rider = server.key("{\"name\":\"r\",\"scopes\":[\"read\"],\"rider\":\"r-1\"}");
    String reader = server.key("{\"name\":\"all\",\"scopes\":[\"read\"]}");
    String year = "/v1/riders/r-1/performance?from=2025-01-01&to=2025-12-31";
    Reply first = server.send(rider, "GET", year, "", "");
    assertThat(first.status()).isEqualTo(202);
    String id = first.json().path("job").asString();
    Reply second = server.send(rider, "GET", year, "", "");
    boolean isDone = server.get("/v1/jobs/" + id).json().path("state").asString().equals("done");
    assertThat(second.status()).as(second.body()).isEqualTo(isDone ? 202 : 429);
    assertThat(server.send(reader, "GET", year, "", "").status()).isEqualTo(202);
    assertThat(server.send(reader, "DELETE", "/v1/jobs/" + id, "", "").status()).isEqualTo(403);
    assertThat(server.send(rider, "DELETE", "/v1/jobs/" + id, "", "").status()).isEqualTo(204);
  }

  @Test
  void aDamagedJob_isForgotten_andTheServerStarts() throws Exception {
    String id =
        server.get("/v1/performance?from=" + DAY + "&to=" + DAY).json().path("job").asString();
    job(id);
    server.close();
    try (Stream<Path> files = Files.list(data.resolve("jobs"))) {
      for (Path file : files.toList()) {
        Files.writeString(file, "not a job");
      }
    }
    isRunning = false;
    restart();
    assertThat(server.get("/v1/jobs/" + id).status()).isEqualTo(404);
    job(server.get("/v1/performance?from=" + DAY + "&to=" + DAY).json().path("job").asString());
  }

  @Test
  void anUpload_isAnsweredWithTheRidersIndicatorsOfToday() throws Exception {
    String today = LocalDate.now(ZoneId.of("Asia/Seoul")).toString();
    Reply reply =
        server.post(
            "/data/agents/actions",
            "{\"agentId\":\"r-1\",\"actions\":[{\"at\":\"%sT00:00:00Z\",\"type\":\"tap\"}]}"
                .formatted(today));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    assertThat(reply.json().path("riderId").asString()).isEqualTo("r-1");
    assertThat(reply.json().path("from").asString()).isEqualTo(today);
    assertThat(reply.json().path("total").path("deliveries").isInt()).isTrue();
    String collects = server.key("{\"name\":\"c\",\"scopes\":[\"collect\"]}");
    assertThat(
            server
                .send(
                    collects,
                    "POST",
                    "/data/agents/actions",
                    "application/json",
                    "{\"agentId\":\"r-1\",\"actions\":[{\"at\":\"%sT00:00:01Z\",\"type\":\"tap\"}]}"
                        .formatted(today))
                .body())
        .as("a key that may not read is shown nothing")
        .isEqualTo("{\"success\":true}");
    assertThat(server.post("/data/agents/actions", "{\"agentId\":\"r-1\",\"actions\":[]}").body())
        .as("nothing was sent, so nothing is measured")
        .isEqualTo("{\"success\":true}");
  }
}
