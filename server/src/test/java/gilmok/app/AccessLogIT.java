package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Lines for requests in the log of a server in a process of its own. */
@Tag("process")
final class AccessLogIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String KEY = "a-key-for-the-test-of-access";

  @TempDir Path folder;

  @Test
  void requests_haveALine_whereThatIsSet_alsoByAReload() throws Exception {
    Path settings = folder.resolve("gilmok.yaml");
    Files.writeString(settings, "logging:\n  format: json\n");
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.add("--set=admin-key=" + KEY);
    arguments.add("--config=" + settings);
    try (Program program = Program.start(arguments.toArray(String[]::new));
        HttpClient client = HttpClient.newHttpClient()) {
      program.awaitReady();
      ask(client, program.uri("/v1/riders/anna/position?key-is=none"));
      Files.writeString(settings, "logging:\n  format: json\n  access-every: 1\n");
      program.hangUp();
      Program.await(() -> program.logged().contains("access-every"));
      ask(client, program.uri("/v1/riders/berta/position?key-is=none"));
      Program.await(() -> program.logged().contains("gilmok.access"));

      assertThat(program.logged()).doesNotContain("anna", "key-is", KEY);
      JsonNode line =
          program
              .logged()
              .lines()
              .filter(one -> one.contains("gilmok.access") && one.contains("berta"))
              .map(JSON::readTree)
              .findFirst()
              .orElseThrow();
      assertThat(line.path("method").asString()).isEqualTo("GET");
      assertThat(line.path("path").asString()).isEqualTo("/v1/riders/berta/position");
      assertThat(line.path("route").asString()).isEqualTo("/v1/riders/{id}/position");
      assertThat(line.path("status").asInt()).isEqualTo(400);
      assertThat(line.path("ms").asDouble()).isPositive();
      assertThat(line.path("sent").asInt()).isPositive();
      assertThat(line.path("client").asString()).isEqualTo("127.0.0.1");
      assertThat(line.path("agent").asString()).isEqualTo("a-test/1");
    }
  }

  /**
   * What opens a customer's page is not shown, whoever put something before it; and no path ends.
   */
  @Test
  void secretsAndOverlongPaths_stayOut() throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(List.of("--set=admin-key=" + KEY, "--set=logging.access-every=1"));
    try (Program program = Program.start(arguments.toArray(String[]::new));
        HttpClient client = HttpClient.newHttpClient()) {
      program.awaitReady();
      for (String path :
          List.of(
              "/track/a-secret-of-a-customer",
              "/some/proxy/track/a-secret-of-a-customer/",
              "/x".repeat(1000),
              "/pub%3Fkey=gk_lnh7neqn7zmq_sqnl4ttwa",
              "/%74rack/a-secret-of-a-customer-who-waits",
              "/a%0aINFO%20b")) {
        HttpRequest request =
            HttpRequest.newBuilder(program.uri(path))
                .header("User-Agent", "app/2 gk_lnh7neqn7zmq_sqnl4ttwa")
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isBetween(400, 499);
      }
      Program.await(() -> program.logged().contains("/a%0aINFO%20b"));
      assertThat(program.logged())
          .contains("path=/track/… ", "path=/some/proxy/track/… ", "/x/x… ", "app/2 gk_…")
          .doesNotContain("a-secret", "/x".repeat(200), "lnh7neqn7zmq");
    }
  }

  /** As of a log collector that hangs. */
  @Test
  void outputThatIsBlocked_blocksNoRequest_andWhatDoesNotFitIsCounted() throws Exception {
    Path output = folder.resolve("output");
    assertThat(new ProcessBuilder("mkfifo", output.toString()).start().waitFor()).isZero();
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(List.of("--set=admin-key=" + KEY, "--set=logging.access-every=1"));
    List<String> under = List.of("bash", "-c", "exec \"$@\" 2>" + output, "bash");
    try (RandomAccessFile unread = new RandomAccessFile(output.toFile(), "rw");
        Program program = Program.startUnder(under, arguments.toArray(String[]::new));
        HttpClient client = HttpClient.newHttpClient()) {
      program.awaitReady();
      HttpRequest live =
          HttpRequest.newBuilder(program.uri("/health/live"))
              .header("User-Agent", "a".repeat(200))
              .build();
      for (int i = 0; i < 4000; i++) {
        assertThat(client.send(live, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      }
      HttpRequest metrics =
          HttpRequest.newBuilder(program.uri("/metrics")).header("X-Api-Key", KEY).build();
      assertThat(client.send(metrics, BodyHandlers.ofString()).body())
          .containsPattern("gilmok_log_lines_dropped_total [1-9]");
      assertThat(unread.getFD().valid()).isTrue();
    }
  }

  private static void ask(HttpClient client, URI uri) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("X-Api-Key", KEY)
            .header("User-Agent", "a-test/1")
            .build();
    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(400);
  }
}
