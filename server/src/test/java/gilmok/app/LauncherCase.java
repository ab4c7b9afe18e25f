package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A launcher with a Java and a Maven that only write down their arguments, in a folder of its own.
 */
abstract class LauncherCase {
  /** A Java that makes the AOT cache it is asked for, or fails if there is a file "broken". */
  static final String JAVA =
      """
      #!/bin/bash
      printf '%s\\n' "$@" >"$HOME/java.told"
      env >"$HOME/java.environment"
      for option in "$@"; do
        case $option in
          -XX:AOTCacheOutput=*)
            cp "$HOME/java.told" "$HOME/training.told"
            cp "$HOME/java.environment" "$HOME/training.environment"
            [[ ! -e $HOME/broken ]] || { echo 'it broke'; exit 1; }
            echo cache >"${option#*=}"
            ;;
        esac
      done
      """;

  private static final String MAVEN =
      """
      #!/bin/bash
      if [[ " $* " == *' -v '* ]]; then echo 'Apache Maven 3.9.0'; exit; fi
      echo "$*" >>"$HOME/maven.told"
      mkdir -p server/target lab/target
      for option in "$@"; do
        case $option in -Dgilmok.jar-suffix=*) suffix=${option#*=} ;; esac
      done
      echo jar >server/target/gilmok-all.jar$suffix
      if [[ " $* " == *' -pl lab '* ]]; then echo jar >lab/target/gilmok-lab-all.jar$suffix; fi
      """;

  @TempDir Path root;

  /** The launcher's exit code and standard error. */
  record Ended(int code, String err) {}

  @BeforeEach
  void files() throws IOException {
    program("gilmok", Files.readString(Path.of("..", "gilmok")));
    program("jdk/bin/java", JAVA);
    program("jdk/bin/javac", "");
    program("bin/mvn", MAVEN);
    Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
    for (String module : List.of("server", "lab")) {
      Files.createDirectories(root.resolve(module + "/src/main"));
      Files.createFile(root.resolve(module + "/pom.xml"));
    }
    Files.createFile(root.resolve("pom.xml"));
  }

  final Path cache() {
    return root.resolve("server/target/gilmok.aot");
  }

  final List<String> lines(String file) throws IOException {
    return Files.readAllLines(root.resolve(file));
  }

  /** The options for Java without those of the AOT cache. */
  static List<String> options(List<String> told) {
    return told.subList(0, told.indexOf("-jar")).stream()
        .filter(option -> !option.startsWith("-XX:AOTCache"))
        .toList();
  }

  final Ended run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(root.resolve("gilmok").toString()));
    command.addAll(List.of(arguments));
    Path err = Files.createTempFile(root, "err", "");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).environment().clear();
    builder.environment().put("PATH", root.resolve("bin") + ":/usr/bin:/bin");
    builder.environment().put("HOME", root.toString());
    builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(err));
  }

  final void program(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
