package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Stays and trips, asked of a server that has the positions in its log. */
@Tag("server")
final class StaysIT {
  private final long begin = Instant.now().toEpochMilli() / 1000 * 1000 - 3_600_000;
  private final String span = "from=" + begin + "&to=" + (begin + 1_800_000);

  @TempDir Path data;
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    server = RunningServer.start(data);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void post(String... points) throws Exception {
    assertThat(server.post("/v1/traces", "[" + String.join(",", points) + "]").status())
        .isEqualTo(202);
  }

  /** Ten minutes at one place, five on the way, ten at another one. */
  private String[] twoStays(String rider) {
    return IntStream.range(0, 150)
        .mapToObj(
            i -> {
              int way = Math.clamp(i - 60, 0, 30);
              return "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%s,\"lon\":127}"
                  .formatted(rider, begin + 10_000L * i, 37.5 + way / 1e3);
            })
        .toArray(String[]::new);
  }

  @Test
  void staysAndTrips_areFound_ofARiderAndOfAGroup() throws Exception {
    post(twoStays("r1"));
    post(twoStays("r2"));
    JsonNode stays = server.get("/v1/riders/r1/stays?" + span).json();
    assertThat(stays.path("items").size()).isEqualTo(2);
    assertThat(stays.path("next").isNull()).isTrue();
    JsonNode first = stays.path("items").get(0);
    assertThat(first.path("riderId").asString()).isEqualTo("r1");
    assertThat(first.path("lat").asDouble()).isCloseTo(37.5, Offset.offset(0.001));
    JsonNode trips = server.get("/v1/riders/r1/trips?" + span).json();
    assertThat(trips.path("items").size()).isEqualTo(1);
    assertThat(trips.path("items").get(0).path("distance").asDouble()).isBetween(3_000.0, 3_400.0);
    assertThat(trips.path("items").get(0).path("moving").asDouble()).isBetween(250.0, 350.0);
    assertThat(server.get("/v1/riders/r1/stays?minutes=15&" + span).json().path("items").size())
        .isZero();
    for (String phone : List.of("r1", "r2")) {
      server.send(
          server.adminKey(),
          "PUT",
          "/v1/devices/" + phone,
          "application/json",
          "{\"riderId\":\"" + phone + "\",\"group\":\"g\"}");
    }
    assertThat(server.get("/v1/groups/g/stays?" + span).json().path("items").size()).isEqualTo(4);
    assertThat(server.get("/v1/groups/g/trips?" + span).json().path("items").size()).isEqualTo(2);
    assertThat(server.get("/v1/riders/nobody/trips?" + span).body())
        .isEqualTo("{\"items\":[],\"next\":null}");
  }

  @ParameterizedTest
  @CsvSource({
    "radius=0, radius",
    "radius=10001, radius",
    "minutes=1, minutes",
    "minutes=1441, minutes",
    "minutes=20&gap=10, gap",
    "format=gpx, format"
  })
  void badStops_areToldWhatIsWrong(String query, String field) throws Exception {
    for (String what : List.of("stays", "trips")) {
      Reply reply = server.get("/v1/riders/r1/" + what + "?" + query);
      assertThat(reply.status()).as(reply.body()).isEqualTo(400);
      assertThat(reply.json().path("field").asString()).isEqualTo(field);
    }
  }
}
