package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.cli.Commands;
import gilmok.process.Main;
import gilmok.runtime.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * The names that operators and programs use of the newest release, beside those of today: none has
 * gone without a row in docs/compatibility.md. That the pages have the program's own names is held
 * by other tests ({@link SettingsPageTest}, {@link MetricsContractIT}, {@link ApiDocumentIT}).
 *
 * <p>With {@code -Dgilmok.released=write} it writes today's names in place of the newest release's,
 * as a release does.
 */
@Tag("unit")
final class ReleasedNamesTest {
  private static final Path LISTS = Path.of("server/src/test/resources/released");
  private static final Pattern SETTING = Pattern.compile("(?m)^\\| `([\\w.-]+)` \\| [^|]*\\|");
  private static final Pattern METRICS = Pattern.compile("(?m)^\\| (`[^|]+`) \\| \\w+[^|]*\\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Pattern GONE = Pattern.compile("(?m)^\\| `([^`]+)` \\| \\d+\\.\\d+");

  @Test
  void names_ofTheNewestRelease_areThere_orTheirEndIsWritten() throws Exception {
    Map<String, Set<String>> today = today();
    if ("write".equals(System.getProperty("gilmok.released"))) {
      for (var list : today.entrySet()) {
        Files.write(file(list.getKey()), list.getValue());
      }
    }
    Set<String> gone = matches(GONE, page("docs/compatibility.md"));
    for (var list : today.entrySet()) {
      Set<String> released = new TreeSet<>(Files.readAllLines(file(list.getKey())));
      assertThat(released).as(list.getKey()).hasSizeGreaterThan(40);
      released.removeAll(list.getValue());
      released.removeAll(gone);
      assertThat(released).as("%s that have gone, unwritten", list.getKey()).isEmpty();
    }
  }

  /** A name that was taken away is seen. */
  @Test
  void names_areRead_eachKindAsItStands() throws Exception {
    Map<String, Set<String>> today = today();
    assertThat(today.get("settings")).contains("log.retention", "sinks.NAME.batch-age-max");
    assertThat(today.get("metrics")).contains("gilmok_build_info");
    assertThat(today.get("routes")).contains("POST /v1/traces", "GET /v1/receipts/{id}");
    assertThat(today.get("commands")).contains("serve --port", "keys create --rider", "log show");
  }

  private static Map<String, Set<String>> today() throws IOException {
    Map<String, Set<String>> today = new TreeMap<>();
    today.put("settings", matches(SETTING, page("docs/settings.md")));
    Set<String> metrics = new TreeSet<>();
    METRICS
        .matcher(page("docs/metrics.md"))
        .results()
        .forEach(row -> metrics.addAll(matches(NAME, row.group(1))));
    today.put("metrics", metrics);
    ApiDocument api = new ApiDocument(page("server/src/main/resources/openapi.yaml"));
    today.put("routes", new TreeSet<>(api.operations().keySet()));
    Set<String> commands = new TreeSet<>();
    Commands.line("", Main.commands(new Signals()))
        .getSubcommands()
        .forEach((name, line) -> add(name, line, commands));
    today.put("commands", commands);
    return today;
  }

  private static void add(String name, CommandLine line, Set<String> all) {
    all.add(name);
    line.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .flatMap(option -> List.of(option.names()).stream())
        .forEach(option -> all.add(name + " " + option));
    line.getSubcommands().forEach((sub, command) -> add(name + " " + sub, command, all));
  }

  private static Set<String> matches(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    for (MatchResult match : pattern.matcher(text).results().toList()) {
      found.add(match.group(1));
    }
    return found;
  }

  private static String page(String name) throws IOException {
    return Files.readString(Repository.root().resolve(name));
  }

  private static Path file(String list) {
    return Repository.root().resolve(LISTS).resolve(list + ".txt");
  }
}
