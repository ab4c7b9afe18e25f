package gilmok.docs;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Needed;
import gilmok.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Checks ops/alerts.yml against the contract of the metrics, and with Prometheus' own promtool. */
@Tag("process")
final class AlertsIT {
  private static final Pattern METRIC = Pattern.compile("gilmok_[a-z_]+");

  @TempDir Path folder;

  @Test
  void everyMetric_isInTheContract() throws IOException {
    String contract = Files.readString(Repository.root().resolve("docs/metrics.md"));
    TreeSet<String> metrics = new TreeSet<>();
    for (JsonNode rule : rules()) {
      Matcher metric = METRIC.matcher(rule.path("expr").asString());
      while (metric.find()) {
        metrics.add(metric.group());
      }
    }
    assertThat(metrics)
        .hasSizeGreaterThan(10)
        .allMatch(name -> contract.contains("`" + name.replaceAll("_(max|bucket)$", "")));
  }

  @Test
  void everyAlert_saysWhatIsWrongAndWhatToDo() throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonNode rule : rules()) {
      String name = rule.path("alert").asString();
      assertThat(rule.path("annotations").path("summary").asString()).as(name).isNotEmpty();
      assertThat(rule.path("annotations").path("description").asString()).as(name).isNotEmpty();
      assertThat(rule.path("labels").path("severity").asString()).as(name).isIn("page", "ticket");
      names.add(name);
    }
    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(30);
  }

  @Test
  void promtool_takesTheRulesAndTheyFireWhenTheyShould() throws Exception {
    Needed.program("promtool", "prometheus");
    Files.copy(Repository.root().resolve("ops/alerts.yml"), folder.resolve("alerts.yml"));
    try (var test = AlertsIT.class.getResourceAsStream("/alerts/alerts-test.yml")) {
      assertThat(test).isNotNull();
      Files.copy(test, folder.resolve("alerts-test.yml"));
    }
    promtool("check", "rules", "alerts.yml");
    promtool("test", "rules", "alerts-test.yml");
  }

  private void promtool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out, StandardCharsets.UTF_8)).isZero();
  }

  private static List<JsonNode> rules() throws IOException {
    String yaml = Files.readString(Repository.root().resolve("ops/alerts.yml"));
    JsonNode root =
        new ObjectMapper()
            .valueToTree(new Load(LoadSettings.builder().build()).loadFromString(yaml));
    List<JsonNode> rules = new ArrayList<>();
    root.path("groups").forEach(group -> group.path("rules").forEach(rules::add));
    return rules;
  }
}
