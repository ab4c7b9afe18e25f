package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

/** ops/dashboards, read by the types that Grafana publishes: no Grafana is there to load them. */
@Tag("contract")
final class GrafanaIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private ContractTool tool;

  @BeforeEach
  void install() throws Exception {
    tool = new ContractTool("grafana", folder);
  }

  @Test
  void dashboards_areAsGrafanaReadsThem() throws Exception {
    List<Path> all = dashboards();
    assertThat(all).hasSize(6);
    check(all);
  }

  @Test
  void slip_isFound() throws Exception {
    ObjectNode board = (ObjectNode) JSON.readTree(Files.readString(dashboards().getFirst()));
    ((ObjectNode) board.at("/panels/1/targets/0")).put("legend", "a slip");
    Path slip = Files.writeString(folder.resolve("slip.json"), board.toString());
    assertThatThrownBy(() -> check(List.of(slip)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("/panels/1/targets/0/legend is unknown to Grafana");
  }

  private void check(List<Path> files) throws Exception {
    tool.run(files.stream().map(file -> file.toAbsolutePath().toString()).toArray(String[]::new));
  }

  private static List<Path> dashboards() throws IOException {
    try (Stream<Path> files = Files.list(OpsFiles.path("dashboards"))) {
      return files.filter(one -> one.toString().endsWith(".json")).sorted().toList();
    }
  }
}
