package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.process.Reloadable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks docs/settings.md against the program. */
@Tag("unit")
final class SettingsPageTest {
  private static final Pattern LINE =
      Pattern.compile("\\| `([\\w.-]+)` \\| ([^|]*) \\| ([^|]*) \\| [^|]+ \\|[^|]*\\|");
  private static final Pattern OUTSIDE = Pattern.compile(".* is not between (.*) and (.*)");
  private static final Pattern NO_CHOICE = Pattern.compile(".* is none of (.*)");

  /** Values beyond every range, one for each kind, and a word that is never a choice. */
  private static final List<String> TOO_MUCH =
      List.of("500000 TiB", "5000 d", "999999999999", "no-such-choice");

  /** One sink of each kind, so that the program has the keys of all kinds. */
  private static final Map<String, String> SINKS =
      Map.of(
          "sinks.enabled", "files,firehose,kafka,redis",
          "sinks.kafka.bootstrap-servers", "127.0.0.1:9092",
          "sinks.firehose.stream", "fleet",
          "redis.url", "redis://127.0.0.1");

  /** The page's word for a sink's name, in keys that every sink has. */
  private static final String ANY_SINK = "NAME";

  private static final Set<String> OF_EVERY_SINK =
      Set.of("batch-age-max", "retry-min", "retry-max", "from");

  @Test
  void page_hasEveryKeyWithItsDefault() throws IOException {
    Settings settings = new Settings(SINKS);
    ServerConfig.from(settings);
    Map<String, String> defaults = new TreeMap<>();
    settings
        .effective()
        .forEach(
            (key, value) -> {
              boolean none = value.isEmpty() || SINKS.containsKey(key);
              String shown = none ? "none" : "`" + value + "`";
              String before = defaults.put(onPage(key), shown);
              assertThat(before == null ? shown : before).as(key).isEqualTo(shown);
            });
    Map<String, String> written = new TreeMap<>();
    for (Matcher line : lines()) {
      assertThat(written.put(line.group(1), line.group(2))).as(line.group(1) + " twice").isNull();
    }
    assertThat(written).isEqualTo(defaults);
  }

  @Test
  void page_hasEveryRangeThatTheProgramHolds() throws IOException {
    int held = 0;
    for (Matcher line : lines()) {
      String range = range(line.group(1));
      if (!range.isEmpty()) {
        assertThat(line.group(3)).as(line.group(1)).isEqualTo(range);
        held++;
      }
    }
    assertThat(held).isGreaterThan(20);
  }

  /** The page marks exactly the keys that a reload applies. */
  @Test
  void page_marksWhatAReloadApplies() throws IOException {
    Set<String> marked = new TreeSet<>();
    for (Matcher line : lines()) {
      if (line.group().contains("(reload)")) {
        marked.add(line.group(1));
      }
    }
    Settings settings = new Settings(SINKS);
    ServerConfig.from(settings);
    Set<String> applied = new TreeSet<>();
    for (String key : settings.effective().keySet()) {
      if (Reloadable.has(key)) {
        applied.add(onPage(key));
      }
    }
    assertThat(applied).hasSizeGreaterThan(10);
    assertThat(marked).isEqualTo(applied);
  }

  @Test
  void page_hasAFileForEachSecret() throws IOException {
    Settings settings = new Settings(SINKS);
    ServerConfig.from(settings);
    Set<String> secrets = new TreeSet<>();
    for (String key : settings.effective().keySet()) {
      if (!settings.shown(key, "x").equals("x")) {
        secrets.add(key);
      }
    }
    assertThat(secrets)
        .containsExactly(
            "admin-key",
            "auth.oidc.client-secret",
            "auth.session-secret",
            "auth.session-secret-accepted",
            "documents.mongo-uri",
            "privacy.pseudonym-secret",
            "redis.url",
            "tracing.authorization",
            "track.secret");
    assertThat(settings.effective())
        .containsKeys(secrets.stream().map(key -> key + "-file").toArray(String[]::new));
  }

  private static String onPage(String key) {
    String[] parts = key.split("\\.");
    boolean ofEverySink =
        parts.length == 3 && parts[0].equals("sinks") && OF_EVERY_SINK.contains(parts[2]);
    return ofEverySink ? parts[0] + "." + ANY_SINK + "." + parts[2] : key;
  }

  /**
   * The range or the choices that the program names for a value outside; empty when it accepts any.
   */
  private static String range(String onPage) {
    String key = onPage.replace("." + ANY_SINK + ".", ".files.");
    for (String value : TOO_MUCH) {
      for (String problem : problems(key, value)) {
        Matcher outside = OUTSIDE.matcher(problem);
        if (problem.startsWith(key + ": ") && outside.matches()) {
          return outside.group(1) + " to " + outside.group(2);
        }
        Matcher choice = NO_CHOICE.matcher(problem);
        if (problem.startsWith(key + ": ") && choice.matches()) {
          return "`" + choice.group(1).replace(", ", "`, `") + "`";
        }
      }
    }
    return "";
  }

  private static List<String> problems(String key, String value) {
    try {
      Map<String, String> given = new HashMap<>(SINKS);
      given.put(key, value);
      ServerConfig.from(new Settings(given));
      return List.of();
    } catch (InvalidSettings invalid) {
      return invalid.problems();
    }
  }

  private static List<Matcher> lines() throws IOException {
    List<Matcher> lines = new ArrayList<>();
    for (String text : Files.readAllLines(Repository.root().resolve("docs/settings.md"))) {
      Matcher line = LINE.matcher(text);
      if (line.matches()) {
        lines.add(line);
      } else {
        assertThat(text)
            .as("a line of the table that this test cannot read")
            .doesNotStartWith("| `");
      }
    }
    return lines;
  }
}
