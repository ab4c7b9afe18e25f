package gilmok.lab.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Grafana's dashboards in ops/, against their sources and against what every one must have. */
@Tag("unit")
final class DashboardsTest {
  private static final Path FOLDER = Path.of("../ops/dashboards");
  private static final Pattern NAMED =
      Pattern.compile("[Pp]anels? ((?:\"[^\"]+\"(?:, | and |; )?)+)");

  @TempDir Path folder;

  @Test
  void jsonOfEachDashboard_isWhatItsSourceSays() throws IOException {
    assertThat(new CommandLine(new DashboardsCommand()).execute("--check", "--folder=" + FOLDER))
        .as("\"gilmok lab dashboards\" makes it")
        .isZero();
    assertThat(DashboardsCommand.sources(FOLDER)).hasSize(6);
  }

  @Test
  void check_namesWhatDiffers_andWritesNothing() throws IOException {
    Path source = DashboardsCommand.sources(FOLDER).getFirst();
    Path copy = Files.copy(source, folder.resolve("one.yaml"));
    CommandLine command = new CommandLine(new DashboardsCommand());
    assertThat(command.execute("--check", "--folder=" + folder)).isEqualTo(1);
    assertThat(folder.resolve("one.json")).doesNotExist();
    assertThat(command.execute("--folder=" + folder)).isZero();
    assertThat(command.execute("--check", "--folder=" + folder)).isZero();
    Files.writeString(copy, "title: x\n");
    assertThat(command.execute("--folder=" + folder)).isEqualTo(2);
  }

  @Test
  void expression_isAskedOfTheChosenServers() {
    assertThat(Panel.chosen("sum(rate(gilmok_a_total[1m])) / gilmok:b:5m{x=\"gilmok\"} + up"))
        .isEqualTo(
            "sum(rate(gilmok_a_total{instance=~\"$instance\"}[1m]))"
                + " / gilmok:b:5m{instance=~\"$instance\",x=\"gilmok\"} + up");
  }

  @Test
  void panel_withoutWhatToLookFor_isRefused() {
    JsonNode panel = JsonMapper.shared().readTree("{\"title\":\"x\",\"unit\":\"s\"}");
    assertThatThrownBy(() -> Panel.json(panel, 1, JsonMapper.shared().createObjectNode()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"look\" is missing");
  }

  @Test
  void everyPanel_hasAUnit_andASentence_andEachRateItsDayBefore_andNoTwoHaveOneTitle()
      throws IOException {
    Set<String> titles = new HashSet<>();
    for (JsonNode panel : panels()) {
      String title = panel.path("title").asString();
      assertThat(titles.add(title)).as(title).isTrue();
      assertThat(panel.path("description").asString()).as(title).endsWith(".");
      assertThat(panel.at("/fieldConfig/defaults/unit").asString()).as(title).isNotEmpty();
      int rates = 0;
      int before = 0;
      for (JsonNode target : panel.path("targets")) {
        String expression = target.path("expr").asString();
        assertThat(expression).as(title).doesNotContainPattern("\\[\\d");
        rates += expression.contains("rate(") ? 1 : 0;
        before += expression.contains("] offset 1d") ? 1 : 0;
      }
      assertThat(rates).as(title).isEqualTo(2 * before);
    }
    assertThat(titles).hasSizeGreaterThan(90);
  }

  @Test
  void everyPanelThatTheRunbookNames_isThere() throws IOException {
    Set<String> titles = new HashSet<>();
    panels().forEach(panel -> titles.add(panel.path("title").asString()));
    String page = Files.readString(Path.of("../docs/runbook.md")).replaceAll("\\s+", " ");
    List<String> named = new ArrayList<>();
    Matcher mention = NAMED.matcher(page);
    while (mention.find()) {
      for (String part : mention.group(1).split("\"", -1)) {
        if (!part.isBlank() && !part.matches("[,;]? ?(and )?")) {
          named.add(part);
        }
      }
    }
    assertThat(named).hasSizeGreaterThan(80).isSubsetOf(titles);
  }

  private static List<JsonNode> panels() throws IOException {
    List<JsonNode> panels = new ArrayList<>();
    for (Path source : DashboardsCommand.sources(FOLDER)) {
      JsonNode made =
          JsonMapper.shared().readTree(Files.readString(DashboardsCommand.made(source)));
      for (JsonNode panel : made.path("panels")) {
        if (!panel.path("type").asString().equals("row")) {
          panels.add(panel);
        }
      }
    }
    return panels;
  }
}
