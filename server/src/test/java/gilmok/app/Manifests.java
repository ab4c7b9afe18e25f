package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.config.SettingsSources;
import gilmok.process.ServeCommand;
import gilmok.runtime.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Manifests of {@code ops/kubernetes}, as the tests compare them with the program. */
final class Manifests {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<JsonNode> all = new ArrayList<>();

  /** Those of these files. */
  Manifests(String... names) throws IOException {
    for (String name : names) {
      String text = OpsFiles.text("kubernetes/" + name);
      for (Object one : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
        all.add(JSON.valueToTree(one));
      }
    }
  }

  List<JsonNode> all() {
    return all;
  }

  /** The only one of a kind. */
  JsonNode only(String kind) {
    List<JsonNode> found =
        all.stream().filter(one -> one.path("kind").asString().equals(kind)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  /**
   * The configuration that the pods of the only workload of a kind give their server, by their
   * arguments and the file of the only ConfigMap; with more from the environment.
   */
  ServerConfig config(String kind, Map<String, String> environment) {
    List<String> words = arguments(only(kind).at("/spec/template/spec"));
    assertThat(words.getFirst()).isEqualTo("serve");
    new CommandLine(new ServeCommand(new Signals()))
        .parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    JsonNode map = only("ConfigMap");
    Path file = Path.of(words.get(words.indexOf("--config") + 1));
    String name = file.getFileName().toString();
    assertThat(map.path("data").has(name)).isTrue();
    String text = map.path("data").path(name).asString();
    SettingsSources sources = new SettingsSources();
    sources.file((Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text));
    sources.environment(environment);
    sources.option("data", words.get(words.indexOf("--data") + 1));
    sources.option("http.port", words.get(words.indexOf("--port") + 1));
    return ServerConfig.from(new Settings(sources));
  }

  /** The only container of a pod. */
  static JsonNode container(JsonNode pod) {
    assertThat(pod.path("containers")).hasSize(1);
    return pod.at("/containers/0");
  }

  static List<String> arguments(JsonNode pod) {
    List<String> words = new ArrayList<>();
    container(pod).path("args").forEach(word -> words.add(word.asString()));
    return words;
  }

  /** The paths of a container's volumes, by name. */
  static Map<String, String> mounts(JsonNode container) {
    Map<String, String> mounts = new HashMap<>();
    for (JsonNode mount : container.path("volumeMounts")) {
      mounts.put(mount.path("name").asString(), mount.path("mountPath").asString());
    }
    return mounts;
  }

  /** Bytes of a size such as {@code 4Gi}. */
  static long bytes(String size) {
    assertThat(size).matches("\\d+Gi");
    return Long.parseLong(size.replace("Gi", "")) << 30;
  }
}
