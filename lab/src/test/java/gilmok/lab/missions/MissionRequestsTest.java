package gilmok.lab.missions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.Requests;
import gilmok.lab.load.RunResult;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The load, and a way of answering behind the server's own edge, both in this process. */
@Tag("server")
class MissionRequestsTest {
  private final MadeUpMissions made = new MadeUpMissions(10);
  private WayServer server = new WayServer(0, Servers.KEY, made, AnswerWay.EACH, null);

  @BeforeEach
  void start() throws IOException, InterruptedException {
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Load load(String path, double rate, long count) {
    LoadPlan plan = LoadPlan.closed(List.of(server.port()), 3);
    byte[] request = Requests.get(path, Servers.KEY);
    return new Load(
        count > 0 ? plan.times(count) : plan.at(rate, 0, 0.5),
        new MissionRequests(List.of(request), 200, true));
  }

  private static String rider(int number) {
    return "/v1/riders/" + MadeUpMissions.rider(number) + "/missions";
  }

  @Test
  void run_untilACount_asksExactlySoOften() throws IOException, InterruptedException {
    Load load = load(rider(1), 0, 40);
    RunResult result = load.run(List.of());
    assertThat(result.errors()).isEmpty();
    assertThat(result.answers()).isEqualTo(40);
    assertThat(load.requests().bodyBytes())
        .isEqualTo(Packing.gzip(AnswerWay.plain(made, 1, made.progress(1)), 1).length);
  }

  @Test
  void run_openLoop_sendsAllThatIsDue() throws IOException, InterruptedException {
    RunResult result = load(rider(2), 100, 0).run(List.of(() -> 1));
    assertThat(result.errors()).isEmpty();
    assertThat(result.answers()).isEqualTo(50);
    assertThat(result.watched()).containsExactly(0.0);
  }

  @Test
  void run_refused_isAnErrorForEach() throws IOException, InterruptedException {
    RunResult result = load(rider(10), 0, 5).run(List.of());
    assertThat(result.errors()).containsExactly(Map.entry("status 404", 5L));
  }

  @Test
  void run_whatIsNotPacked_isAnError() throws IOException, InterruptedException {
    RunResult result = load("/lab/loads", 0, 5).run(List.of());
    assertThat(result.errors()).containsExactly(Map.entry("not packed", 5L));
  }
}
