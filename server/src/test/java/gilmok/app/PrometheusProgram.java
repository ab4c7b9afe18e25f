package gilmok.app;

import gilmok.Needed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A real Prometheus on a free port of loopback, which scrapes each second. */
final class PrometheusProgram implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  private PrometheusProgram(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Leaves the test out where there is no Prometheus. */
  static void need() {
    Needed.program("prometheus", "prometheus");
    Needed.program("promtool", "prometheus");
  }

  /**
   * The text of ops/prometheus.yml for these targets.
   *
   * @param rules the files of rules, as a pattern
   * @param key the file with the key
   */
  static String configuration(List<String> targets, Path rules, Path key) throws IOException {
    String all = String.join("\", \"", targets);
    return OpsFiles.text("prometheus.yml")
        .replace("gilmok:8080", all)
        .replace("/run/secrets/metrics-key", key.toString())
        .replace("alerts/*.yml", rules.toString())
        .replace("_interval: 15s", "_interval: 1s");
  }

  /** Starts it with {@code prometheus.yml} in a folder, where it keeps all that it writes. */
  static PrometheusProgram start(Path folder) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.out").toFile())
            .start();
    return new PrometheusProgram(process, port);
  }

  /** An answer of Prometheus; empty while it is not ready yet. */
  private JsonNode ask(String path) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == 400) {
        throw new AssertionError(path + ": " + answer.body());
      }
      return JSON.readTree(answer.statusCode() == 200 ? answer.body() : "{}");
    } catch (IOException notYet) {
      return JSON.createObjectNode();
    }
  }

  /** What an expression is now: the samples that are numbers. */
  List<JsonNode> query(String expression) throws InterruptedException {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    List<JsonNode> samples = new ArrayList<>();
    for (JsonNode sample : ask("/api/v1/query?query=" + query).at("/data/result")) {
      if (!sample.at("/value/1").asString().equals("NaN")) {
        samples.add(sample);
      }
    }
    return samples;
  }

  /** The names of all alerts that it has rules for. */
  Set<String> alerts() throws InterruptedException {
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode group : ask("/api/v1/rules").at("/data/groups")) {
      for (JsonNode rule : group.path("rules")) {
        if (rule.path("type").asString().equals("alerting")) {
          names.add(rule.path("name").asString());
        }
      }
    }
    return names;
  }

  /** The alerts that fire now. */
  Set<String> firing() throws InterruptedException {
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode alert : ask("/api/v1/alerts").at("/data/alerts")) {
      if (alert.path("state").asString().equals("firing")) {
        names.add(alert.at("/labels/alertname").asString());
      }
    }
    return names;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException hurried) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    client.close();
  }

  /** Runs promtool, which must succeed. */
  static void promtool(Path folder, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(words));
    Path said = folder.resolve("promtool.said");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError(command + ": " + Files.readString(said));
    }
  }
}
