package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus with ops/prometheus.yml and the alert rules, which scrapes a real server with
 * the key that the lines of ops/README.md make. Docker is played by a script.
 */
@Tag("process")
final class PrometheusIT {
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
    PrometheusProgram.need();
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
      PrometheusProgram.promtool(folder, "check", "config", "prometheus.yml");
      try (PrometheusProgram prometheus = PrometheusProgram.start(folder)) {
        String scraped = "gilmok_http_connections{job=\"gilmok\"} and on(job) up == 1";
        Program.await(() -> !prometheus.query(scraped).isEmpty());
        assertThat(prometheus.alerts()).hasSizeGreaterThan(90).isEqualTo(rulesOfTheFiles());
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
        PrometheusProgram.configuration(
            List.of(target), OpsFiles.path("alerts/*.yml"), folder.resolve("metrics-key")));
  }

  private static Set<String> rulesOfTheFiles() throws Exception {
    TreeSet<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(OpsFiles.path("alerts"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Pattern.compile("- alert: (\\w+)")
            .matcher(Files.readString(file))
            .results()
            .forEach(alert -> names.add(alert.group(1)));
      }
    }
    return names;
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
