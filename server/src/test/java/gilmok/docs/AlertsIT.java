package gilmok.docs;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Needed;
import gilmok.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Checks ops/alerts against the contract of the metrics, the runbook and their own tests, and with
 * Prometheus' own promtool.
 */
@Tag("process")
final class AlertsIT {
  private static final Pattern NAME = Pattern.compile("`([a-z0-9_]+)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^### (\\w+)\n((?:.+\n)+)");

  @TempDir Path folder;

  @Test
  void everyMetric_isInTheContract() throws IOException {
    String contract = text("docs/metrics.md");
    assertThat(AlertRules.all().metrics())
        .hasSizeGreaterThan(60)
        .filteredOn(name -> !name.equals("up"))
        .allMatch(name -> contract.contains("`" + name.replaceAll("_(max|bucket|count|sum)$", "")));
  }

  @Test
  void everyMetricWithAnAlarm_isInARule() throws IOException {
    AlertRules rules = AlertRules.all();
    List<String> alarmed = new ArrayList<>();
    for (String line : text("docs/metrics.md").lines().toList()) {
      if (line.startsWith("| `") && line.contains("Alarm:")) {
        Matcher name = NAME.matcher(line.substring(0, line.indexOf('|', 1)));
        while (name.find()) {
          alarmed.add(name.group(1));
        }
      }
    }
    assertThat(alarmed).hasSizeGreaterThan(90).allMatch(rules::askFor);
  }

  @Test
  void everyAlert_hasASeverityAndItsParagraphInTheRunbook_andNoOtherIsThere() throws IOException {
    List<String> paragraphs = new ArrayList<>();
    Matcher heading = HEADING.matcher(text("docs/runbook.md"));
    while (heading.find()) {
      paragraphs.add(heading.group(1));
      assertThat(heading.group(2))
          .as(heading.group(1))
          .containsSubsequence(".* ", "\n- **Data**: ", "\n- **See**: ", "\n- **Do**: ");
    }
    AlertRules rules = AlertRules.all();
    for (JsonNode alert : rules.alerts()) {
      String name = alert.path("alert").asString();
      assertThat(alert.at("/labels/severity").asString()).as(name).isIn("page", "ticket");
      assertThat(alert.at("/annotations/summary").asString()).as(name).isNotEmpty();
      assertThat(alert.at("/annotations/runbook_url").asString())
          .isEqualTo("docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
    }
    assertThat(paragraphs)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(rules.names());
  }

  /**
   * Each alert fires in a test named {@code ill}. In the one named {@code well}, which has a series
   * of each metric that the rules name, no alert is even pending.
   */
  @Test
  void everyAlert_isTestedFromBothSides() throws IOException {
    for (Path file : AlertRules.files(AlertRules.folder())) {
      AlertRules rules = AlertRules.of(file);
      Path tests = AlertRules.folder().resolve("tests").resolve(file.getFileName());
      TreeSet<String> fired = new TreeSet<>();
      TreeSet<String> given = new TreeSet<>();
      for (JsonNode test : AlertRules.yaml(tests).path("tests")) {
        JsonNode asked = test.at("/promql_expr_test/0");
        if (test.path("name").asString().equals("well")) {
          assertThat(asked.path("expr").asString()).isEqualTo("count by (alertname) (ALERTS)");
          assertThat(asked.path("exp_samples")).isEmpty();
          test.path("input_series")
              .forEach(
                  series -> given.add(series.path("series").asString().replaceAll("\\{.*", "")));
        } else {
          asked
              .path("exp_samples")
              .forEach(sample -> fired.add(sample.path("labels").asString().split("\"", -1)[1]));
        }
      }
      assertThat(fired).as("%s: fires", tests).isEqualTo(new TreeSet<>(rules.names()));
      assertThat(given).as("%s: well", tests).containsAll(rules.metrics());
    }
  }

  @Test
  void promtool_takesTheRules_andTheyFireWhenTheyShould() throws Exception {
    Needed.program("promtool", "prometheus");
    promtool("check rules", AlertRules.files(AlertRules.folder()));
    promtool("test rules", AlertRules.files(AlertRules.folder().resolve("tests")));
  }

  private void promtool(String command, List<Path> files) throws Exception {
    List<String> words = new ArrayList<>(List.of("promtool"));
    words.addAll(Arrays.asList(command.split(" ", -1)));
    files.forEach(file -> words.add(file.toString()));
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out, StandardCharsets.UTF_8)).isZero();
  }

  private static String text(String file) throws IOException {
    return Files.readString(Repository.root().resolve(file));
  }
}
