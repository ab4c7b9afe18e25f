package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher, with a Java and a Maven that only write down their arguments. */
@Tag("process")
final class LauncherIT {
  /** A Java that makes the AOT cache it is asked for, or fails if there is a file "broken". */
  private static final String JAVA =
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
      echo jar >lab/target/gilmok-lab-all.jar$suffix
      """;

  @TempDir Path root;

  /** The launcher's exit code and standard error. */
  private record Ended(int code, String err) {}

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

  @Test
  void build_makesACache_thatServeUsesWithTheSameOptions() throws Exception {
    Ended built = run(Map.of("GILMOK_SINKS_ENABLED", "firehose"), "build");

    assertThat(built.code()).as(built.err()).isZero();
    assertThat(built.err()).contains("made server/target/gilmok.aot");
    assertThat(cache()).exists();
    assertThat(lines("training.environment")).noneMatch(line -> line.startsWith("GILMOK_"));
    assertThat(root.resolve("server/target/gilmok.aot.new")).doesNotExist();

    Ended served = run(Map.of(), "serve", "--port", "9000");

    assertThat(served.code()).as(served.err()).isZero();
    assertThat(served.err()).isEmpty();
    List<String> training = lines("training.told");
    List<String> serving = lines("java.told");
    assertThat(serving).first().isEqualTo("-XX:AOTCache=" + cache().toRealPath());
    assertThat(options(serving)).isEqualTo(options(training)).contains("-XX:+UseG1GC");
    assertThat(training).contains("serve", "--until-ready");
    assertThat(serving).endsWith("serve", "--port", "9000");
  }

  @Test
  void help_ofWhateverCommand_saysSo_andDoesNothing() throws Exception {
    for (String command : List.of("test", "format", "vendor", "build")) {
      for (String asked : List.of("--help", "-h", "help")) {
        assertThat(run(Map.of(), command, asked).code()).as(command).isZero();
        assertThat(run(Map.of(), command, "-Dtest=X", asked).code()).as(command).isZero();
      }
    }
    assertThat(root.resolve("maven.told")).doesNotExist();
    assertThat(root.resolve("java.told")).doesNotExist();
    assertThat(root.resolve("target")).doesNotExist();
  }

  @Test
  void demo_afterABuild_leavesTheServersJarAndItsCache() throws Exception {
    run(Map.of(), "build");
    Path jar = root.resolve("server/target/gilmok-all.jar");
    Object file = Files.readAttributes(jar, BasicFileAttributes.class).fileKey();
    Files.setLastModifiedTime(
        Files.createFile(root.resolve("lab/src/main/New.java")),
        FileTime.from(Instant.now().plusSeconds(5)));

    assertThat(run(Map.of(), "demo").code()).isZero();

    assertThat(lines("maven.told")).hasSize(2);
    assertThat(Files.readAttributes(jar, BasicFileAttributes.class).fileKey()).isEqualTo(file);
    assertThat(jar.resolveSibling("gilmok-all.jar.new")).doesNotExist();
    assertThat(run(Map.of(), "serve").err()).isEmpty();
    assertThat(lines("java.told")).anyMatch(line -> line.startsWith("-XX:AOTCache="));
  }

  /**
   * The commands build at the same time. A new jar replaces an old one in one step, so none of them
   * ever lacks a jar.
   */
  @Test
  void firstCommandsAtOnce_eachHaveTheirJar() throws Exception {
    program(
        "jdk/bin/java", JAVA + "\nwhile [[ $1 != -jar ]]; do shift; done; cat \"$2\" >/dev/null");
    List<Future<Ended>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 4; i++) {
        String command = i % 2 == 0 ? "serve" : "demo";
        all.add(threads.submit(() -> run(Map.of(), command)));
      }
    }
    for (Future<Ended> one : all) {
      assertThat(one.get().code()).as(one.get().err()).isZero();
    }
  }

  @Test
  void serve_withoutAWarmUp_leavesTheCompilerAsItIs() throws Exception {
    run(Map.of(), "build");
    run(Map.of(), "serve", "--port", "9000");
    assertThat(lines("java.told")).contains("-XX:Tier3DelayOn=10000");

    Ended served = run(Map.of(), "serve", "--port", "9000", "--no-warmup");

    assertThat(served.err()).isEmpty();
    assertThat(lines("java.told"))
        .contains("-XX:+UseG1GC", "-XX:AOTCache=" + cache().toRealPath())
        .noneMatch(option -> option.contains("Tier") || option.contains("CICompilerCount"));
  }

  @Test
  void build_withGilmokOpts_trainsWithThem() throws Exception {
    assertThat(run(Map.of("GILMOK_OPTS", "-XX:+UseZGC -Xmx2g"), "build").code()).isZero();

    assertThat(lines("training.told"))
        .contains("-XX:+UseZGC", "-Xmx2g")
        .doesNotContain("-XX:+UseG1GC");
  }

  @Test
  void serve_builtByItself_hasNone() throws Exception {
    Ended served = run(Map.of(), "serve");

    assertThat(served.code()).as(served.err()).isZero();
    assertThat(lines("java.told")).noneMatch(line -> line.contains("AOTCache"));
    assertThat(root.resolve("training.told")).doesNotExist();
  }

  @Test
  void serve_cacheOfAnOlderJar_saysSo() throws Exception {
    run(Map.of(), "build");
    Files.setLastModifiedTime(cache(), FileTime.from(Instant.now().minusSeconds(3600)));

    Ended served = run(Map.of(), "serve");

    assertThat(served.code()).isZero();
    assertThat(served.err())
        .contains("older than the jar and not used; \"gilmok build\" makes another");
    assertThat(lines("java.told")).noneMatch(line -> line.contains("AOTCache"));
  }

  @Test
  void build_trainingFails_saysSoAndLeavesNone() throws Exception {
    run(Map.of(), "build");
    Files.createFile(root.resolve("broken"));

    Ended built = run(Map.of(), "build");

    assertThat(built.code()).isEqualTo(1);
    assertThat(built.err()).contains("it broke").contains("no AOT cache: the training run failed");
    assertThat(cache()).doesNotExist();
  }

  @Test
  void otherCommands_doNotUseIt() throws Exception {
    run(Map.of(), "build");
    for (String command : List.of("demo", "lab", "log", "keys")) {
      assertThat(run(Map.of(), command).code()).isZero();
      assertThat(lines("java.told")).noneMatch(line -> line.contains("AOTCache"));
    }
  }

  private Path cache() {
    return root.resolve("server/target/gilmok.aot");
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(root.resolve(file));
  }

  /** The options for Java without those of the AOT cache. */
  private static List<String> options(List<String> told) {
    return told.subList(0, told.indexOf("-jar")).stream()
        .filter(option -> !option.startsWith("-XX:AOTCache"))
        .toList();
  }

  private Ended run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(root.resolve("gilmok").toString()));
    command.addAll(List.of(arguments));
    Path err = Files.createTempFile(root, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", root.resolve("bin") + ":/usr/bin:/bin");
    builder.environment().put("HOME", root.toString());
    builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), Files.readString(err));
  }

  private void program(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
