package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A real Prometheus with ops/prometheus.yml and the alert rules, which scrapes a real server with
 * the key that the lines of ops/README.md make. Docker is played by a script.
 */
@Tag("process")
final class PrometheusIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Answers the one question that the lines ask, and leaves the rest to a real Docker. */
  private static final String DOCKER =
      """
      #!/bin/sh
      echo "$*" >>docker.told
      case "$*" in
        *'exec -T gilmok cat /data/admin.key') cat data/admin.key ;;
      esac
      """;

  @TempDir Path folder;

  @BeforeEach
  void need() {
    Needed.program("prometheus", "prometheus");
    Needed.program("promtool", "prometheus");
  }

  @Test
  void server_isScraped_withTheReadmesKey_fromAFile() throws Exception {
    try (RunningServer server = RunningServer.start(folder.resolve("data"))) {
      String key = readmesKey(server);
      assertThat(server.send(key, "GET", "/metrics", "", "").status()).isEqualTo(200);
      assertThat(server.send(key, "POST", "/v1/traces", "application/json", "{}").status())
          .isEqualTo(403);
      Files.writeString(folder.resolve("metrics-key"), key + "\n");
      configure(server.uri("").getAuthority());
      succeed(List.of("promtool", "check", "config", "prometheus.yml"));
      int port = freePort();
      Process prometheus = start(port);
      try {
        Program.await(() -> isScraped(port));
        assertThat(rules(port)).hasSizeGreaterThan(30).isEqualTo(rulesOfTheFile());
      } finally {
        prometheus.destroy();
        assertThat(prometheus.waitFor(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  /** Pastes the README's lines; returns the key that they leave in {@code ops/.env}. */
  private String readmesKey(RunningServer server) throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path docker = Files.writeString(bin.resolve("docker"), DOCKER);
    Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(folder.resolve("ops"));
    String lines = OpsFiles.pasted("--profile prometheus");
    assertThat(lines).contains("127.0.0.1:8080");
    String here = lines.replace("127.0.0.1:8080", server.uri("").getAuthority());
    succeed(List.of("bash", "-euo", "pipefail", "-c", "PATH=$PWD/bin:$PATH\n" + here));
    Path env = folder.resolve("ops/.env");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(env)))
        .isEqualTo("rw-------");
    assertThat(Files.readAllLines(folder.resolve("docker.told")))
        .last()
        .isEqualTo("compose -f ops/compose.yaml --profile prometheus up --wait");
    String line = Files.readString(env).strip();
    assertThat(line).startsWith("METRICS_KEY=");
    return line.substring(line.indexOf('=') + 1);
  }

  private void configure(String target) throws Exception {
    String text = OpsFiles.text("prometheus.yml");
    assertThat(text).contains("gilmok:8080", "/run/secrets/metrics-key", "scrape_interval: 15s");
    Files.writeString(
        folder.resolve("prometheus.yml"),
        text.replace("gilmok:8080", target)
            .replace("/run/secrets/metrics-key", folder.resolve("metrics-key").toString())
            .replace("scrape_interval: 15s", "scrape_interval: 1s"));
    Files.copy(OpsFiles.path("alerts.yml"), folder.resolve("alerts.yml"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Process start(int port) throws Exception {
    return new ProcessBuilder(
            "prometheus",
            "--config.file=" + folder.resolve("prometheus.yml"),
            "--storage.tsdb.path=" + folder.resolve("tsdb"),
            "--web.listen-address=127.0.0.1:" + port)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("prometheus.out").toFile())
        .start();
  }

  private static boolean isScraped(int port) throws Exception {
    String query = "gilmok_http_connections{job=\"gilmok\"} and on(job) up == 1";
    JsonNode found =
        ask(port, "/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
    return !found.at("/data/result").isEmpty();
  }

  private static Set<String> rules(int port) throws Exception {
    TreeSet<String> names = new TreeSet<>();
    for (JsonNode group : ask(port, "/api/v1/rules").at("/data/groups")) {
      group.path("rules").forEach(rule -> names.add(rule.path("name").asString()));
    }
    return names;
  }

  private static Set<String> rulesOfTheFile() throws Exception {
    TreeSet<String> names = new TreeSet<>();
    Pattern.compile("- alert: (\\w+)")
        .matcher(OpsFiles.text("alerts.yml"))
        .results()
        .forEach(alert -> names.add(alert.group(1)));
    return names;
  }

  /** An answer of Prometheus; empty while it is not ready yet. */
  private static JsonNode ask(int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      return JSON.readTree(answer.statusCode() == 200 ? answer.body() : "{}");
    } catch (IOException notYet) {
      return JSON.createObjectNode();
    }
  }

  private void succeed(List<String> command) throws Exception {
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
  }
}
