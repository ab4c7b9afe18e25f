package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Limits on the shape of code: the width of records, the size of {@code app}, the names of tests
 * that start servers.
 */
@Tag("unit")
final class ShapesTest {
  private static final int COMPONENTS_MAX = 9;

  private static final Pattern RECORD = Pattern.compile("\\brecord (\\w+)(?:<[^>(]*>)?\\s*\\(");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

  /** The start of something beyond the code under test. */
  private static final Pattern SERVER =
      Pattern.compile(
          "\\b(RunningServer|Program|MongoServer|RedisServer|Chromium|Nginx)\\.\\w+\\("
              + "|new HttpListener\\(");

  @Test
  void records_haveAtMostNineComponents() throws IOException {
    Map<String, Integer> wide = new TreeMap<>();
    for (Path source : sources("server/src/main/java")) {
      components(Files.readString(source))
          .forEach(
              (name, count) -> {
                if (count > COMPONENTS_MAX) {
                  wide.put(name, count);
                }
              });
    }
    assertThat(wide).as("group what belongs together").isEmpty();
  }

  @Test
  void components_areCounted() {
    assertThat(components("record None() {} record One(Map<A, B> one) {}"))
        .isEqualTo(Map.of("None", 0, "One", 1));
    assertThat(components("public record R<T>(int a, @X(1, 2) /* b, c */ int b,\n List<T> c) {}"))
        .isEqualTo(Map.of("R", 3));
  }

  /** A reader can take in what a server is made of in one sitting. */
  @Test
  void app_isAListOfModules() throws IOException {
    List<Path> files = sources("server/src/main/java/gilmok/app");
    assertThat(files).hasSizeLessThanOrEqualTo(15);
    Path server = Repository.root().resolve("server/src/main/java/gilmok/app/Server.java");
    assertThat(Files.readAllLines(server)).hasSizeLessThanOrEqualTo(150);
  }

  /** The name of a test says what it needs and how long it takes. */
  @Test
  void whatStartsAServer_isCalledIT() throws IOException {
    List<String> misnamed =
        sources("server/src/test/java").stream()
            .filter(source -> source.toString().endsWith("Test.java"))
            .filter(source -> !source.endsWith("ShapesTest.java"))
            .filter(ShapesTest::startsAServer)
            .map(source -> source.getFileName().toString())
            .toList();
    assertThat(misnamed).isEmpty();
  }

  private static boolean startsAServer(Path source) {
    try {
      return SERVER.matcher(Files.readString(source)).find();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static List<Path> sources(String folder) throws IOException {
    try (Stream<Path> all = Files.walk(Repository.root().resolve(folder))) {
      return all.filter(path -> path.toString().endsWith(".java")).toList();
    }
  }

  private static Map<String, Integer> components(String source) {
    String code = COMMENT.matcher(source).replaceAll("");
    Map<String, Integer> counts = new TreeMap<>();
    Matcher records = RECORD.matcher(code);
    while (records.find()) {
      counts.put(records.group(1), count(code, records.end()));
    }
    return counts;
  }

  /** The number of components between {@code from} and the closing bracket. */
  private static int count(String code, int from) {
    int depth = 0;
    int commas = 0;
    boolean isEmpty = true;
    for (int i = from; ; i++) {
      char c = code.charAt(i);
      switch (c) {
        case '(', '<' -> depth++;
        case '>' -> depth--;
        case ')' -> {
          if (depth == 0) {
            return isEmpty ? 0 : commas + 1;
          }
          depth--;
        }
        case ',' -> commas += depth == 0 ? 1 : 0;
        default -> isEmpty &= Character.isWhitespace(c);
      }
    }
  }
}
