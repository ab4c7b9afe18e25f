package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Needed;
import gilmok.Repository;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a running server against docs/metrics.md, and against Prometheus' conventions. */
@Tag("process")
final class MetricsContractIT {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]+`) \\| (\\w+)[^|]*\\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\w+) (\\w+)$");

  /**
   * Metrics of what this server does not have: a database of its own, other sinks, a container, a
   * certificate, a login, a collection that has not happened.
   */
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "gilmok_(cpu_.*|positions_fleet_.*|host_pressure_.*|documents_mongo_.*|.*firehose.*"
              + "|kafka_.*|http_certificate_.*|login_.*|ack_.*|collect_acks_total"
              + "|phone_commands_.*)"
              + "|gilmok_(keys|missions|consents)_age_seconds"
              + "|jvm_gc_(pause|concurrent_phase_time)_seconds");

  @TempDir Path folder;

  @Test
  void names_ofARunningServer_areThePages_andAreAsPrometheusWantsThem() throws Exception {
    try (Program program =
        Program.serve(
            folder.resolve("data"),
            "--set=sinks.enabled=files",
            "--set=sinks.files.format=parquet",
            "--set=tee.url=http://127.0.0.1:9",
            "--set=run-sheets.process=inside",
            "--set=operate.flight-recorder=true")) {
      String key = Files.readString(folder.resolve("data/admin.key")).strip();
      exercise(program, key);
      Program.await(
          () -> {
            String text = send(program, key, "GET", "/metrics", "");
            return text.contains("_pinned_seconds_count") && text.contains("_audit_skipped_");
          });
      String text = send(program, key, "GET", "/metrics", "");

      Map<String, String> exported = types(text);
      Map<String, String> written = rows();
      Map<String, String> unwritten = new TreeMap<>(exported);
      unwritten.keySet().removeIf(name -> isWritten(written, exported, name));
      assertThat(unwritten).as("not in docs/metrics.md, or with another type").isEmpty();
      Set<String> gone = new TreeSet<>(written.keySet());
      gone.removeAll(exported.keySet());
      gone.removeIf(name -> ELSEWHERE.matcher(name).matches());
      assertThat(gone).as("in docs/metrics.md, but in no server").isEmpty();

      program.terminate(); // a killed one would leave the recorder's folder in memory
      assertThat(program.end().code()).isZero();
      Needed.program("promtool", "prometheus");
      assertThat(complaints(text)).isEmpty();
    }
  }

  /** Those that this server does not have are held to the conventions by the page. */
  @Test
  void names_ofThePage_areAsPrometheusWantsThem() throws Exception {
    Needed.program("promtool", "prometheus");
    StringBuilder text = new StringBuilder();
    rows()
        .forEach(
            (name, type) -> {
              String part = type.equals("summary") ? "_count" : "";
              text.append("# HELP %s Help.\n# TYPE %s %s\n".formatted(name, name, type));
              text.append(
                  type.equals("histogram")
                      ? "%1$s_bucket{le=\"+Inf\"} 1\n%1$s_sum 1\n%1$s_count 1\n".formatted(name)
                      : name + part + " 1\n");
            });
    assertThat(text.toString().lines().count()).isGreaterThan(500);
    assertThat(complaints(text.toString())).isEmpty();
    assertThat(complaints("# HELP a_count Help.\n# TYPE a_count gauge\na_count 1\n")).isNotEmpty();
  }

  @Test
  void java_withoutAFlightRecorder_servesAndSaysSo() throws Exception {
    String rest = "java.base,java.desktop,java.net.http,java.naming,java.sql,jdk.management";
    Map<String, String> java =
        Map.of("JDK_JAVA_OPTIONS", "--limit-modules=" + rest + ",jdk.unsupported,jdk.zipfs");
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.add("--set=operate.flight-recorder=true");
    try (Program program = Program.startIn(java, arguments.toArray(String[]::new))) {
      program.awaitReady();
      Program.await(() -> program.logged().contains("flight recorder does not start"));
      String key = Files.readString(folder.resolve("data/admin.key")).strip();
      assertThat(send(program, key, "GET", "/metrics", ""))
          .contains("gilmok_virtual_threads_parallelism ")
          .contains("gilmok_build_info{commit=\"");
    }
  }

  /** Makes those appear that come with their first event. */
  private static void exercise(Program program, String key) throws Exception {
    String trace =
        "[{\"riderId\":\"r1\",\"lat\":37.5,\"lon\":127,\"at\":\"2026-11-25T15:00:00Z\"}]";
    send(program, key, "POST", "/v1/traces", trace);
    send(program, key, "GET", "/v1/riders/r1/position", "");
    send(program, "wrong", "GET", "/v1/riders/r1/position", "");
    send(program, key, "GET", "/?id=r1&lat=37.5&lon=127&timestamp=1764082800&key=" + key, "");
    send(program, key, "POST", "/v1/keys", "{\"name\":\"one\",\"scopes\":[\"read\"]}");
  }

  private static String send(Program program, String key, String method, String path, String body)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = program.uri(path);
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .method(method, BodyPublishers.ofString(body))
              .header("X-Api-Key", key)
              .header("Content-Type", "application/json")
              .build();
      return client.send(request, BodyHandlers.ofString()).body();
    }
  }

  private static Map<String, String> types(String text) {
    Map<String, String> types = new TreeMap<>();
    Matcher type = TYPE.matcher(text);
    while (type.find()) {
      types.put(type.group(1), type.group(2));
    }
    return types;
  }

  /** The page says once that each histogram and summary has its highest value of late, too. */
  private static boolean isWritten(
      Map<String, String> written, Map<String, String> exported, String name) {
    String of = name.replaceFirst("_max$", "");
    boolean isHighest =
        !of.equals(name) && Set.of("histogram", "summary").contains(exported.getOrDefault(of, ""));
    return exported.getOrDefault(name, "").equals(written.get(name))
        || (isHighest && written.containsKey(of));
  }

  /** The names of the page's tables, with their types. */
  private static Map<String, String> rows() throws Exception {
    Map<String, String> rows = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(Repository.root().resolve("docs/metrics.md")));
    while (row.find()) {
      Matcher name = NAME.matcher(row.group(1));
      while (name.find()) {
        rows.put(name.group(1), row.group(2));
      }
    }
    return rows;
  }

  private String complaints(String text) throws Exception {
    Path in = Files.writeString(folder.resolve("metrics"), text);
    Path out = folder.resolve("complaints");
    Process promtool =
        new ProcessBuilder("promtool", "check", "metrics")
            .redirectInput(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(out);
  }
}
