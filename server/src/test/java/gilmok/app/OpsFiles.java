package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.cli.SettingsOptions;
import gilmok.config.Settings;
import gilmok.config.SettingsSources;
import gilmok.process.ServeCommand;
import gilmok.runtime.Signals;
import gilmok.runtime.StopConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What the files of {@code ops/} say, as the tests compare it with the program. */
final class OpsFiles {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a stop may take beside its settings. */
  private static final Duration STOP_TO_SPARE = Duration.ofSeconds(10);

  private OpsFiles() {}

  static Path path(String name) {
    return Repository.root().resolve("ops").resolve(name);
  }

  static String text(String name) throws IOException {
    return Files.readString(path(name));
  }

  static JsonNode yaml(String name) throws IOException {
    return JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(text(name)));
  }

  /** The lines of README.md's block for a shell that contains a text. */
  static String pasted(String contained) throws IOException {
    String page = text("README.md");
    int at = page.indexOf(contained);
    int from = page.lastIndexOf("```sh\n", at) + "```sh\n".length();
    assertThat(at).as(contained).isGreaterThan(from);
    return page.substring(from, page.indexOf("```", at));
  }

  /** What the image of the Dockerfile runs. */
  static List<String> imageCommand() throws IOException {
    String dockerfile = Files.readString(Repository.root().resolve("Dockerfile"));
    Matcher command = Pattern.compile("(?m)^CMD (\\[.*])$").matcher(dockerfile);
    assertThat(command.find()).isTrue();
    List<String> words = new ArrayList<>();
    JSON.readTree(command.group(1)).forEach(word -> words.add(word.asString()));
    return words;
  }

  /** The values of a key in gilmok.service, one for each line that has it. */
  static List<String> unit(String key) throws IOException {
    return text("gilmok.service")
        .lines()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1))
        .toList();
  }

  /**
   * The settings of a server that is started so. A file of {@code --config} is looked for in {@code
   * ops/} by its name.
   *
   * @param command {@code serve} and its options
   */
  static Settings settings(List<String> command, Map<String, String> environment) {
    assertThat(command.getFirst()).isEqualTo("serve");
    List<String> options = command.subList(1, command.size());
    ParseResult parsed =
        new CommandLine(new ServeCommand(new Signals())).parseArgs(options.toArray(String[]::new));
    Path file = parsed.matchedOptionValue("--config", Path.of(""));
    String name = String.valueOf(file.getFileName());
    SettingsSources sources =
        name.isEmpty() ? new SettingsSources() : SettingsOptions.ofFile(path(name));
    sources.environment(environment);
    parsed.matchedOptionValue("--set", List.<String>of()).forEach(sources::option);
    SettingsOptions.lay(sources, "data", parsed.matchedOptionValue("--data", null));
    SettingsOptions.lay(sources, "http.port", parsed.matchedOptionValue("--port", null));
    return new Settings(sources);
  }

  /** How long whatever kills the server must wait. */
  static Duration stopMax(ServerConfig config) {
    StopConfig stop = config.of(StopConfig.class);
    return stop.grace().plus(stop.patience()).plus(stop.flush()).plus(STOP_TO_SPARE);
  }

  /** The memory that a server with that heap needs, as docs/running.md reckons it. */
  static long memoryMiB(long heapMiB, int planners) {
    return heapMiB + 200 + 100 + 256L * planners;
  }
}
