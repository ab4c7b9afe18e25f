package gilmok.lab.dashboards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code lab dashboards}: Grafana's JSON of each dashboard, beside its source. */
@Command(
    name = "dashboards",
    description = {
      "Make Grafana's dashboards: of each NAME.yaml in the folder, NAME.json. It rewrites files.",
      "",
      "Exit code: 0 if all is made, or is as it would be made; 1 with --check if something is "
          + "not; 2 if a source is unusable."
    },
    footer = {"", "Examples:", "  gilmok lab dashboards", "  gilmok lab dashboards --check"})
public final class DashboardsCommand implements Callable<Integer> {
  private static final int DIFFERENT = 1;
  private static final int UNUSABLE = 2;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "Where the sources are (default: ${DEFAULT-VALUE}).")
  private Path folder = Path.of("ops/dashboards");

  @Option(
      names = "--check",
      description = "Write nothing, and name the files that are not as they would be made.")
  private boolean checks;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    int status = 0;
    for (Path source : sources(folder)) {
      Path made = made(source);
      try {
        String json = json(source);
        if (!checks) {
          Files.writeString(made, json);
        } else if (!Files.exists(made) || !Files.readString(made).equals(json)) {
          spec.commandLine().getErr().println(made + " is not what " + source + " says");
          status = Math.max(status, DIFFERENT);
        }
      } catch (IllegalArgumentException | YamlEngineException unusable) {
        spec.commandLine().getErr().println(source + ": " + unusable.getMessage());
        status = UNUSABLE;
      }
    }
    return status;
  }

  static List<Path> sources(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  static Path made(Path source) {
    return source.resolveSibling(source.getFileName().toString().replace(".yaml", ".json"));
  }

  static String json(Path source) throws IOException {
    JsonMapper mapper = JsonMapper.shared();
    Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(source));
    JsonNode dashboard = new Dashboard(mapper.valueToTree(read)).json();
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(dashboard) + "\n";
  }
}
