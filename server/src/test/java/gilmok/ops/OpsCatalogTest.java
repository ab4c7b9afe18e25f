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
      Pattern.compile("(?:line|newest|worst)\\([\"`]([^\"`$]+)[\"`$]|(?:split|bars): \"([^\"]+)\"");
  private static final Pattern VALUE =
      Pattern.compile("(?:(?:points|of|value)\\((?:history, )?|[\\[,] ?\"d\\w+\", )\"(\\w+)\"");

  @Test
  void metrics_areThoseOfTheContract() throws IOException {
    String contract = Files.readString(Repository.root().resolve("docs/metrics.md"));
    Set<String> known =
        METRIC.matcher(contract).results().map(m -> m.group(1)).collect(Collectors.toSet());
    TreeSet<String> named = new TreeSet<>(OpsCatalog.SHOWN);
    OpsCatalog.sources().forEach(source -> named.add(source.metric()));
    assertThat(named).hasSizeGreaterThan(60);
    named.removeAll(known);
    assertThat(named).as("not in docs/metrics.md").isEmpty();
  }

  @Test
  void panels_showLinesThatAreSampled() {
    TreeSet<String> lines = new TreeSet<>();
    OpsCatalog.sources().forEach(source -> lines.addAll(source.lines()));
    TreeSet<String> shown = new TreeSet<>();
    for (String script :
        new String[] {"ops-panels.js", "ops-look.js", "ops-tables.js", "ops-tiles.js"}) {
      SHOWN
          .matcher(read(script))
          .results()
          .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
          .map(name -> name.replaceFirst(":.*", ""))
          .forEach(shown::add);
    }
    assertThat(shown).hasSizeGreaterThan(40);
    assertThat(lines).containsAll(shown);
    assertThat(shown).as("sampled, and shown nowhere").containsAll(lines);
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
