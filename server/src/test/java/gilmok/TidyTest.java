package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.http.Refusal;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs our own linter over the repository, and tests its rules. */
@Tag("unit")
class TidyTest {
  /** Files of more than 400 lines, still to be split. */
  private static final Set<String> LONG_FILES = Set.of();

  /** Files that call {@code Thread.sleep}, as there is nothing to await. */
  private static final Set<String> SLEEPERS =
      Set.of(
          // Polls files, on a thread of its own.
          "server/src/main/java/gilmok/http/TlsFiles.java",
          // The one place that awaits a condition for the tests of its package.
          "server/src/test/java/gilmok/http/Edge.java",
          "server/src/test/java/gilmok/log/Promises.java",
          "server/src/test/java/gilmok/log/Records.java",
          // They play a slow client.
          "server/src/test/java/gilmok/http/Http2Test.java",
          "server/src/test/java/gilmok/http/SlowClientTest.java");

  private static final Tidy.Exceptions EXCEPTIONS = new Tidy.Exceptions(LONG_FILES, SLEEPERS);
  private static final Tidy.Exceptions NONE = new Tidy.Exceptions(Set.of(), Set.of());

  /** The linter's own sources, which contain the patterns that it looks for. */
  private static final Set<String> OWN =
      Set.of("server/src/test/java/gilmok/Tidy.java", "server/src/test/java/gilmok/TidyTest.java");

  @TempDir Path folder;

  @Test
  void repository_isTidy() throws IOException {
    Path root = Repository.root();
    List<Path> files = Repository.files();
    assertThat(files).contains(Path.of("README.md"), Path.of("pom.xml"));
    List<String> faults = new ArrayList<>();
    Map<String, String> mainSources = new TreeMap<>();
    for (Path file : files) {
      String name = file.toString().replace('\\', '/');
      if (OWN.contains(name)) {
        continue;
      }
      String text;
      try {
        text = Files.readString(root.resolve(file));
      } catch (MalformedInputException binary) {
        continue;
      }
      faults.addAll(Tidy.faults(root, file, text, EXCEPTIONS));
      if (name.matches("(server|lab)/src/main/java/.*\\.java")) {
        mainSources.put(name, text);
      }
    }
    assertThat(mainSources).isNotEmpty();
    faults.addAll(Tidy.unmarkedPackages(mainSources));
    assertThat(faults).isEmpty();
  }

  @Test
  void exceptions_areStillNeeded() throws IOException {
    Path root = Repository.root();
    for (String name : LONG_FILES) {
      assertThat(Files.readString(root.resolve(name)).lines().count()).as(name).isGreaterThan(400);
    }
    for (String name : SLEEPERS) {
      assertThat(Files.readString(root.resolve(name))).as(name).contains("Thread.sleep(");
    }
  }

  @Test
  void errorsPage_hasEveryRefusal() throws IOException {
    String page = Files.readString(Repository.root().resolve("docs/errors.md"));
    for (Refusal refusal : Refusal.values()) {
      assertThat(page.lines().filter(line -> line.startsWith("| `" + refusal.label() + "` |")))
          .as("the line of docs/errors.md for " + refusal.label())
          .singleElement()
          .asString()
          .contains("| " + refusal.status() + " |");
    }
  }

  @Test
  void faults_longLine_isFoundUnlessItCannotBeBroken() {
    String tail = "x".repeat(98);
    assertThat(faults("A.java", "// " + tail.substring(1))).isEmpty();
    assertThat(faults("A.java", "\n// " + tail)).containsExactly("A.java:2: 101 characters");
    assertThat(faults("A.java", "call(\"" + tail + "\");")).hasSize(1);
    assertThat(faults("A.java", "// https://" + tail)).isEmpty();
    assertThat(faults("A.java", "    + \"" + tail + "\");")).isEmpty();
    assertThat(faults("A.java", " *   <tr><td>" + tail)).isEmpty();
    String block = "s = \"\"\"\n" + tail + "xxx\n\"\"\";\n";
    assertThat(faults("A.java", block)).isEmpty();
    assertThat(faults("A.java", block + "// " + tail)).hasSize(1);
  }

  @Test
  void faults_longFile_isFoundUnlessListed() {
    assertThat(faults("A.java", "\n".repeat(400))).isEmpty();
    assertThat(faults("A.java", "\n".repeat(401))).hasSize(1);
    Tidy.Exceptions listed = new Tidy.Exceptions(Set.of("A.java"), Set.of());
    assertThat(Tidy.faults(folder, Path.of("A.java"), "\n".repeat(401), listed)).isEmpty();
  }

  @Test
  void faults_bannedCalls_areFoundWhereTheyAreBanned() {
    String log = "server/src/main/java/gilmok/log/Log.java";
    for (String call :
        List.of(
            "System.out.println();",
            "problem.printStackTrace();",
            "Thread.sleep(5);",
            "System.exit(1);",
            "@Disabled void test() {}")) {
      assertThat(faults(log, call)).as(call).hasSize(1);
      assertThat(faults(log, "// " + call)).as("in a comment: " + call).isEmpty();
    }
    assertThat(faults("server/src/main/java/gilmok/cli/Version.java", "System.out.println();"))
        .isEmpty();
    String test = "server/src/test/java/gilmok/log/LogTest.java";
    assertThat(faults(test, "Thread.sleep(5);")).hasSize(1);
    Tidy.Exceptions sleeper = new Tidy.Exceptions(Set.of(), Set.of(test));
    assertThat(Tidy.faults(folder, Path.of(test), "Thread.sleep(5);", sleeper)).isEmpty();
    assertThat(Tidy.faults(folder, Path.of(test), "System.exit(1);", sleeper)).hasSize(1);
  }

  @Test
  void faults_longLineOfProse_isFound() {
    String words = "a word ".repeat(20);
    assertThat(faults("docs/a.md", "short\n" + words))
        .containsExactly("docs/a.md:2: 140 characters; break the line");
    assertThat(faults("docs/a.md", "| " + words + "|\n```\n" + words + "\n```\n")).isEmpty();
    assertThat(faults("docs/a.md", "- `" + words + "`")).isEmpty();
    assertThat(faults("docs/a.md", "```\nx\n```\n" + words)).hasSize(1);
  }

  @Test
  void faults_deadLink_isFound() throws IOException {
    Files.createDirectories(folder.resolve("docs"));
    Files.writeString(folder.resolve("docs/errors.md"), "");
    assertThat(faults("docs/a.md", "[e](errors.md) [f](errors.md#x) [g](#y) [h](https://x.y/z)"))
        .isEmpty();
    assertThat(faults("docs/a.md", "[e](eros.md)"))
        .containsExactly("docs/a.md: dead link: eros.md");
    assertThat(faults("README.md", "[e](../outside.md)")).hasSize(1);
  }

  @Test
  void faults_pathOfOneMachine_isFound() {
    assertThat(faults("README.md", "see /home/kim/gilmok")).hasSize(1);
    assertThat(faults("run", "cd /root/gilmok")).hasSize(1);
    assertThat(faults("README.md", "see /usr/lib/jvm and GET /v1/work/x and ~/root/x")).isEmpty();
  }

  @Test
  void unmarkedPackages_missingOrPlainPackageInfo_isFound() {
    assertThat(
            Tidy.unmarkedPackages(
                Map.of(
                    "a/A.java",
                    "",
                    "a/package-info.java",
                    "@NullMarked\npackage a;",
                    "b/B.java",
                    "",
                    "b/package-info.java",
                    "package b;",
                    "c/C.java",
                    "")))
        .satisfiesExactlyInAnyOrder(
            fault -> assertThat(fault).startsWith("b:"),
            fault -> assertThat(fault).startsWith("c:"));
  }

  private List<String> faults(String name, String text) {
    return Tidy.faults(folder, Path.of(name), text, NONE);
  }
}
