package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules for the names of classes, and that the pages name classes which exist. */
@Tag("unit")
final class NamesTest {
  private static final Path SOURCES = Path.of("src/main/java/gilmok");

  /** A single word that says what was done to something, not what it is. */
  private static final Pattern PARTICIPLE =
      Pattern.compile(
          "[A-Z][a-z]+(ed|ing)|Held|Got|Found|Told|Shown|Sent|Kept|Taken|Given|Made|Seen|Known|Lost"
              + "|Lent|Gone|Untold");

  /** Nouns that look like participles. */
  private static final Set<String> NOUNS =
      Set.of("Binding", "Encoding", "Keyring", "Logging", "Recording", "Tuning");

  private static final Pattern CLASS = Pattern.compile("`([a-z]+(?:\\.[a-z]+)*\\.[A-Z]\\w*)`");

  /** A class with its package, or a test. */
  private static final Pattern NAMED =
      Pattern.compile(
          "`(?:gilmok\\.)?([a-z]+(?:\\.[a-z]+)*\\.[A-Z][a-z]\\w+|[A-Z]\\w+(?:Test|IT|Race|Fuzz))(?:\\.\\w+)?…?`");

  @Test
  void classNames_areThereOnce_andAreNoParticiples() throws IOException {
    TreeMap<String, List<Path>> byName = new TreeMap<>();
    try (Stream<Path> all = Files.walk(SOURCES)) {
      all.filter(path -> path.toString().endsWith(".java"))
          .filter(path -> !path.endsWith("package-info.java"))
          .forEach(path -> byName.computeIfAbsent(name(path), _ -> new ArrayList<>()).add(path));
    }
    assertThat(byName).hasSizeGreaterThan(500);
    assertThat(byName.values()).as("a name, one class").allMatch(places -> places.size() == 1);
    assertThat(byName.keySet())
        .as("say what it is, with the field's word: docs/glossary.md")
        .noneMatch(NamesTest::isParticiple);
    assertThat(byName.keySet()).as("nouns that are there no more").containsAll(NOUNS);
  }

  @Test
  void participles_areToldFromNouns() {
    assertThat(List.of("Asked", "Warming", "Held")).allMatch(NamesTest::isParticiple);
    assertThat(List.of("Logging", "InFlightBatch", "HeldRelease", "Ring2"))
        .noneMatch(NamesTest::isParticiple);
  }

  @Test
  void glossary_namesClassesThatAreThere() throws IOException {
    Matcher named = CLASS.matcher(Files.readString(Path.of("../docs/glossary.md")));
    List<String> missing = new ArrayList<>();
    int count = 0;
    while (named.find()) {
      count++;
      if (!Files.exists(SOURCES.resolve(named.group(1).replace('.', '/') + ".java"))) {
        missing.add(named.group(1));
      }
    }
    assertThat(missing).isEmpty();
    assertThat(count).isGreaterThan(60);
  }

  /** A page must not send its reader to a class, nor a promise to a test, that no longer exists. */
  @Test
  void pages_nameClassesAndTestsThatAreThere() throws IOException {
    Set<String> names = new TreeSet<>();
    for (String module : List.of("server", "lab")) {
      try (Stream<Path> all = Files.walk(Path.of("..", module, "src"))) {
        all.map(Path::toString)
            .filter(path -> path.endsWith(".java"))
            .map(path -> path.replaceFirst(".*/java/gilmok/|.*/src/main/build/", ""))
            .map(path -> path.replace(".java", "").replace('/', '.'))
            .forEach(
                path -> {
                  names.add(path);
                  names.add(path.substring(path.lastIndexOf('.') + 1));
                });
      }
    }
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      Matcher named = NAMED.matcher(Files.readString(page));
      while (named.find()) {
        if (!names.contains(named.group(1)) && !named.group(1).startsWith("jdk.")) {
          missing.add(page.getFileName() + ": " + named.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Path.of("../README.md"), Path.of("../STYLE.md")));
    pages.add(Path.of("../ARCHITECTURE.md"));
    try (Stream<Path> all = Files.walk(Path.of("../docs"))) {
      all.filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  private static boolean isParticiple(String name) {
    return PARTICIPLE.matcher(name).matches() && !NOUNS.contains(name);
  }

  private static String name(Path path) {
    return path.getFileName().toString().replace(".java", "");
  }
}
