package gilmok.lab.missions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The load against a way behind the server's own edge, both in this process. */
class LoadLoopTest {
  private final MadeUpMissions made = new MadeUpMissions(10);
  private WayServer server = new WayServer(0, Servers.KEY, made, Way.EACH, null);

  @BeforeEach
  void start() throws IOException, InterruptedException {
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Load load(String path, double rate, long count) {
    String request =
        "GET " + path + " HTTP/1.1\r\nHost: lab\r\nX-Api-Key: " + Servers.KEY + "\r\n\r\n";
    return new Load(
        List.of(server.port()),
        List.of(request.getBytes(StandardCharsets.ISO_8859_1)),
        status -> status == 200,
        true,
        3,
        rate,
        count,
        0,
        0.5);
  }

  private static String rider(int number) {
    return "/v1/riders/" + MadeUpMissions.rider(number) + "/missions";
  }

  @Test
  void run_untilACount_asksExactlySoOften() throws IOException, InterruptedException {
    Load.Result result = LoadLoop.run(load(rider(1), 0, 40), List.of());
    assertThat(result.errors()).isEmpty();
    assertThat(result.answers()).isEqualTo(40);
    assertThat(result.bodyBytes())
        .isEqualTo(Packing.gzip(Way.plain(made, 1, made.progress(1)), 1).length);
  }

  @Test
  void run_openLoop_sendsAllThatIsDue() throws IOException, InterruptedException {
    Load.Result result = LoadLoop.run(load(rider(2), 100, 0), List.of(() -> 1));
    assertThat(result.errors()).isEmpty();
    assertThat(result.answers()).isEqualTo(50);
    assertThat(result.watched()).containsExactly(0.0);
  }

  @Test
  void run_refused_isAnErrorForEach() throws IOException, InterruptedException {
    Load.Result result = LoadLoop.run(load(rider(10), 0, 5), List.of());
    assertThat(result.errors()).containsExactly(Map.entry("status 404", 5L));
  }

  @Test
  void run_whatIsNotPacked_isAnError() throws IOException, InterruptedException {
    Load.Result result = LoadLoop.run(load("/lab/loads", 0, 5), List.of());
    assertThat(result.errors()).containsExactly(Map.entry("not packed", 5L));
  }
}
