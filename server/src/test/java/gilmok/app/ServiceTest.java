package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.http.HttpConfig;
import gilmok.runsheet.RunSheetConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares ops/gilmok.service and the files that it reads with the program. */
@Tag("unit")
final class ServiceTest {
  private static final Pattern VARIABLE = Pattern.compile("(?m)^(#?)([A-Z_]+)=(.*)$");
  private static final Pattern HEAP = Pattern.compile("-Xmx(\\d+)g");

  @Test
  void settings_areValid_andNothingIsToBeWarnedOf() throws IOException {
    Map<String, String> environment = environment();
    ServerConfig config = ServerConfig.from(OpsFiles.settings(command(), environment));
    assertThat(config.of(HttpConfig.class).risk()).isNull();
    Matcher offered = VARIABLE.matcher(OpsFiles.text("gilmok.env"));
    while (offered.find()) {
      String value = offered.group(3).isEmpty() ? "a-key-for-the-test" : offered.group(3);
      environment.put(offered.group(2), value);
    }
    assertThat(environment).hasSizeGreaterThan(environment().size());
    ServerConfig _ = ServerConfig.from(OpsFiles.settings(command(), environment));
  }

  @Test
  void files_areWhereTheReadmeInstallsThem() throws IOException {
    String installed = OpsFiles.pasted("systemctl enable");
    assertThat(installed)
        .contains(
            "ops/gilmok.yaml " + command().get(command().indexOf("--config") + 1),
            "ops/gilmok.env " + one("EnvironmentFile").substring(1),
            "gilmok " + one("ExecStart").split(" ", -1)[0] + "\n",
            "useradd --system --home-dir " + one("WorkingDirectory"),
            " " + one("User") + "\n");
    assertThat("/var/lib/" + one("StateDirectory"))
        .isEqualTo(one("WorkingDirectory"))
        .isEqualTo(config().data().toString());
    assertThat(one("StateDirectoryMode")).isEqualTo("0700");
  }

  @Test
  void server_isGivenTimeToStop_memoryAndFiles() throws IOException {
    assertThat(Duration.ofSeconds(Long.parseLong(one("TimeoutStopSec"))))
        .isGreaterThanOrEqualTo(OpsFiles.stopMax(config()));
    Matcher heap = HEAP.matcher(String.valueOf(environment().get("GILMOK_OPTS")));
    assertThat(heap.matches()).isTrue();
    long heapMiB = Long.parseLong(heap.group(1)) << 10;
    long limitMiB = Long.parseLong(one("MemoryMax").replace("G", "")) << 10;
    int planners = config().of(RunSheetConfig.class).workers();
    assertThat(limitMiB).isGreaterThanOrEqualTo(OpsFiles.memoryMiB(heapMiB, planners));
    assertThat(Integer.parseInt(one("LimitNOFILE"))).isGreaterThan(4 * connectionsMax());
  }

  /** Java's compilers write the code that they then run. */
  @Test
  void memory_mayBeWrittenAndRun() throws IOException {
    assertThat(OpsFiles.unit("MemoryDenyWriteExecute")).isEmpty();
    assertThat(OpsFiles.text("gilmok.service")).contains("# What it may not. MemoryDenyWrite");
  }

  private static ServerConfig config() throws IOException {
    return ServerConfig.from(OpsFiles.settings(command(), environment()));
  }

  private static int connectionsMax() throws IOException {
    Settings settings = OpsFiles.settings(command(), environment());
    ServerConfig _ = ServerConfig.from(settings);
    return Integer.parseInt(String.valueOf(settings.effective().get("http.connections-max")));
  }

  private static List<String> command() throws IOException {
    List<String> words = List.of(one("ExecStart").split(" ", -1));
    return words.subList(1, words.size());
  }

  private static Map<String, String> environment() throws IOException {
    Map<String, String> set = new HashMap<>();
    Matcher variable = VARIABLE.matcher(OpsFiles.text("gilmok.env"));
    while (variable.find()) {
      if (variable.group(1).isEmpty()) {
        set.put(variable.group(2), variable.group(3));
      }
    }
    return set;
  }

  private static String one(String key) throws IOException {
    List<String> values = OpsFiles.unit(key);
    assertThat(values).as(key).hasSize(1);
    return values.getFirst();
  }
}
