package gilmok.ops;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page shows metrics of the contract, and its panels lines of the catalog. */
@Tag("unit")
final class OpsCatalogTest {
  private static final Pattern METRIC = Pattern.compile("`([a-z][a-z0-9_]+)");
  private static final Pattern SHOWN =
      Pattern.compile("(?:line|newest|worst)\\(\"([^\"]+)\"|(?:split|bars): \"([^\"]+)\"");
  private static final Pattern VALUE =
      Pattern.compile("(?:(?:points|of|value)\\((?:history, )?|[\\[,] ?\"d\\w+\", )\"(\\w+)\"");

  /** What the page is ready for, and a server may have later. */
  private static final Set<String> PLANNED =
      Set.of(
          "gilmok_allocated_bytes_total",
          "gilmok_disk_bytes",
          "gilmok_disk_free_bytes",
          "gilmok_event_loop_pending_tasks",
          "gilmok_event_loop_task_wait_seconds",
          "gilmok_heap_after_gc_bytes",
          "gilmok_host_load1",
          "gilmok_host_pressure_seconds_total",
          "gilmok_host_swap_used_bytes",
          "gilmok_http_certificate_expiry_timestamp_seconds",
          "gilmok_http_received_bytes_total",
          "gilmok_http_repeated_requests_total",
          "gilmok_http_sent_bytes_total",
          "gilmok_lock_wait_seconds",
          "gilmok_log_lines_dropped_total",
          "gilmok_log_lines_total",
          "gilmok_process_major_faults_total",
          "gilmok_processor_seconds_total",
          "gilmok_virtual_thread_pinned_seconds",
          "gilmok_virtual_thread_start_seconds",
          "gilmok_virtual_threads_mounted",
          "gilmok_virtual_threads_parallelism",
          "gilmok_virtual_threads_pool_size",
          "gilmok_virtual_threads_queued",
          "gilmok_wait_seconds",
          "gilmok_waiting");

  @Test
  void metrics_areThoseOfTheContract() throws IOException {
    String contract = Files.readString(Repository.root().resolve("docs/metrics.md"));
    Set<String> known =
        METRIC.matcher(contract).results().map(m -> m.group(1)).collect(Collectors.toSet());
    TreeSet<String> named = new TreeSet<>(OpsCatalog.SHOWN);
    OpsCatalog.sources().forEach(source -> named.add(source.metric()));
    assertThat(named).hasSizeGreaterThan(60);
    named.removeAll(known);
    assertThat(PLANNED).as("not in docs/metrics.md").containsAll(named);
  }

  @Test
  void panels_showLinesThatAreSampled() {
    TreeSet<String> lines = new TreeSet<>();
    OpsCatalog.sources().forEach(source -> lines.addAll(source.lines()));
    TreeSet<String> shown = new TreeSet<>();
    for (String script : new String[] {"ops-panels.js", "ops-look.js", "ops-tiles.js"}) {
      SHOWN
          .matcher(read(script))
          .results()
          .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
          .map(name -> name.replaceFirst(":.*", ""))
          .forEach(shown::add);
    }
    assertThat(shown).hasSizeGreaterThan(40);
    assertThat(lines).containsAll(shown);
    TreeSet<String> unseen = new TreeSet<>(lines);
    unseen.removeAll(shown);
    unseen.removeIf(line -> line.matches("sink\\..*|waiting|threads"));
    assertThat(unseen).as("sampled, and shown nowhere").isEmpty();
  }

  /** What a script takes from the newest values is among them. */
  @Test
  void values_areSent() {
    TreeSet<String> taken = new TreeSet<>();
    for (String script : new String[] {"ops-panels.js", "ops-look.js", "ops-tables.js"}) {
      VALUE.matcher(read(script)).results().forEach(found -> taken.add(found.group(1)));
    }
    assertThat(OpsCatalog.SHOWN).containsExactlyElementsOf(taken);
  }

  private static String read(String script) {
    try {
      return Files.readString(
          Repository.root().resolve("server/src/main/resources/web").resolve(script));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
