package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class MetersTest {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[^{}]*(?:\\{[^{}]*}[^{}]*)*})? (\\S+)");

  final Meters meters = new Meters();

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void route_requests_inBucketsByRouteAndStatus() {
    RouteMeter traces = meters.route("POST", "/v1/traces");
    RouteMeter position = meters.route("GET", "/v1/riders/{id}/position");
    traces.record(202, 0);
    traces.record(202, 100_000);
    traces.record(202, 100_001);
    traces.record(202, 3_000_000_000_000L);
    traces.record(400, -5);
    position.record(200, 2_000_000);

    Map<String, Double> samples = samples();

    String accepted = "method=\"POST\",route=\"/v1/traces\",status=\"202\"";
    String name = "gilmok_http_request_seconds";
    assertThat(samples)
        .containsEntry(name + "_bucket{" + accepted + ",le=\"1.0E-4\"}", 2.0)
        .containsEntry(name + "_bucket{" + accepted + ",le=\"2.5E-4\"}", 3.0)
        .containsEntry(name + "_bucket{" + accepted + ",le=\"10.0\"}", 3.0)
        .containsEntry(name + "_bucket{" + accepted + ",le=\"+Inf\"}", 4.0)
        .containsEntry(name + "_count{" + accepted + "}", 4.0)
        .containsEntry(name + "_max{" + accepted + "}", 3000.0)
        .containsEntry(
            name + "_sum{method=\"GET\",route=\"/v1/riders/{id}/position\",status=\"200\"}", 0.002)
        .containsEntry(name + "_sum{method=\"POST\",route=\"/v1/traces\",status=\"400\"}", 0.0);
    assertThat(samples.keySet())
        .filteredOn(key -> key.startsWith(name + "_bucket{" + accepted))
        .hasSize(17);
  }

  @Test
  void record_statusOutOfRange_countedAtItsEnd() {
    RouteMeter route = meters.route("GET", "/x");
    route.record(0, 1);
    route.record(1000, 1);

    assertThat(samples())
        .containsKey(
            "gilmok_http_request_seconds_count{method=\"GET\",route=\"/x\",status=\"100\"}")
        .containsKey(
            "gilmok_http_request_seconds_count{method=\"GET\",route=\"/x\",status=\"599\"}");
  }

  @Test
  void counters_ownAndAsked_shownUnderTheirExactNames() {
    AtomicLong records = new AtomicLong(41);
    meters.counter(
        "gilmok_log_appended_records_total", "Records.", records::get, "stream", "traces");
    meters.counter("gilmok_log_appended_records_total", "Records.", () -> 5, "stream", "logs");
    meters.refusals("busy").increment();
    meters.refusals("busy").add(2);
    meters.refusals("key-missing").increment();
    records.incrementAndGet();
    System.gc(); // Micrometer holds totals by weak references: Meters must hold them.

    assertThat(samples())
        .containsEntry("gilmok_log_appended_records_total{stream=\"traces\"}", 42.0)
        .containsEntry("gilmok_log_appended_records_total{stream=\"logs\"}", 5.0)
        .containsEntry("gilmok_http_refusals_total{refusal=\"busy\"}", 3.0)
        .containsEntry("gilmok_http_refusals_total{refusal=\"key-missing\"}", 1.0);
  }

  @Test
  void gauges_theNamesOfTheContract_notChanged() {
    List<String> names =
        List.of(
            "gilmok_log_queue_bytes",
            "gilmok_log_queue_bytes_max",
            "gilmok_log_bytes",
            "gilmok_log_bytes_max",
            "gilmok_log_oldest_seconds",
            "gilmok_log_durable_sequence",
            "gilmok_log_segments",
            "gilmok_dedup_entries",
            "gilmok_dedup_entries_max",
            "gilmok_dedup_span_seconds",
            "gilmok_positions_riders",
            "gilmok_positions_lag_records",
            "gilmok_http_connections",
            "gilmok_http_requests_open",
            "gilmok_http_bodies_bytes");
    names.forEach(name -> meters.gauge(name, "Help.", () -> 7.5));

    Map<String, Double> samples = samples();

    assertThat(names).allSatisfy(name -> assertThat(samples).containsEntry(name, 7.5));
  }

  @Test
  void amounts_groupSizes_inPowersOfTwo() {
    Histogram groups = meters.amounts("gilmok_log_group_records", "Records a commit.");
    groups.record(1);
    groups.record(3);
    groups.record(100_000);

    assertThat(samples())
        .containsEntry("gilmok_log_group_records_bucket{le=\"1.0\"}", 1.0)
        .containsEntry("gilmok_log_group_records_bucket{le=\"4.0\"}", 2.0)
        .containsEntry("gilmok_log_group_records_bucket{le=\"+Inf\"}", 3.0)
        .containsEntry("gilmok_log_group_records_sum", 100_004.0)
        .containsEntry("gilmok_log_group_records_max", 100_000.0);
  }

  @Test
  void seconds_withoutAnyRecord_shownEmpty() {
    meters.seconds("gilmok_log_fsync_seconds", "One fsync.");

    assertThat(samples()).containsEntry("gilmok_log_fsync_seconds_count", 0.0);
  }

  @Test
  void jvmAndProcess_atOnce_there() {
    System.gc();

    assertThat(samples().keySet())
        .anyMatch(key -> key.startsWith("jvm_memory_used_bytes{area=\"heap\""))
        .anyMatch(key -> key.startsWith("jvm_threads_states_threads{state=\"runnable\""))
        .contains("process_cpu_usage", "process_uptime_seconds", "process_files_open_files");
  }

  @Test
  void counters_readAtOnce_oneForEachKey() {
    meters.counters("a_seconds_total", "Help.", "part", () -> Map.of("x", 1.5, "y", 2.0));
    meters.totals("b_seconds", "Help.", () -> new Meters.Totals(3, 0.25));
    meters.info("c_info", "Help.", "version", "1 \"quoted\"");

    assertThat(samples())
        .containsEntry("a_seconds_total{part=\"x\"}", 1.5)
        .containsEntry("a_seconds_total{part=\"y\"}", 2.0)
        .containsEntry("b_seconds_count", 3.0)
        .containsEntry("b_seconds_sum", 0.25)
        .containsEntry("c_info{version=\"1 \\\"quoted\\\"\"}", 1.0);
    assertThatThrownBy(() -> meters.info("c_info", "Help.", "version", "1 \"quoted\""))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void register_theSameTwice_isABug() {
    meters.gauge("a", "Help.", () -> 1, "part", "x");
    meters.gauge("a", "Help.", () -> 1, "part", "y");
    meters.route("GET", "/x");

    assertThatThrownBy(() -> meters.gauge("a", "Help.", () -> 2, "part", "x"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> meters.route("GET", "/x")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void names_ofOurs_areInTheContract() throws IOException {
    meters.refusals("busy");
    String contract = Files.readString(Path.of("..", "docs", "metrics.md"));

    assertThat(new String(meters.scrape(), StandardCharsets.UTF_8).lines())
        .filteredOn(line -> line.startsWith("# TYPE gilmok_"))
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(contract).contains("`" + line.split(" ")[2].replaceAll("_max$", "")));
  }

  /**
   * Scrapes and parses Prometheus' text format. Fails on a line that breaks the format, on a name
   * that has two types or none, and on a sample that is there twice.
   */
  private Map<String, Double> samples() {
    String text = new String(meters.scrape(), StandardCharsets.UTF_8);
    assertThat(text).endsWith("\n");
    Map<String, Double> samples = new TreeMap<>();
    Set<String> typed = new HashSet<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("# TYPE ")) {
        assertThat(typed.add(line.split(" ")[2])).as(line).isTrue();
      } else if (!line.startsWith("# HELP ")) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String key = line.substring(0, line.lastIndexOf(' '));
        double value = Double.parseDouble(sample.group(3).replace("+Inf", "Infinity"));
        assertThat(samples.put(key, value)).as(line).isNull();
        String name = sample.group(1);
        assertThat(
                typed.contains(name) || typed.contains(name.replaceAll("_(bucket|count|sum)$", "")))
            .as(line)
            .isTrue();
      }
    }
    return samples;
  }
}
