package gilmok.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.process.Main;
import gilmok.runtime.Signals;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

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
      if [[ " $* " == *' -pl lab '* ]]; then echo jar >lab/target/gilmok-lab-all.jar$suffix; fi
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
    assertThat(List.of("maven.told", "java.told", "target"))
        .noneMatch(name -> Files.exists(root.resolve(name)));
  }

  /** Every help of the launcher's own has the form that the programs' has, and fits a terminal. */
  @Test
  void help_hasTheForm() throws Exception {
    for (String command : List.of("", "test", "format", "vendor", "build", "train")) {
      List<String> help = said(command.isEmpty() ? "--help" : command + " --help").lines().toList();
      assertThat(help.getFirst()).startsWith(("Usage: gilmok " + command).strip());
      assertThat(help.get(1)).isEmpty();
      assertThat(help.get(2)).matches("[A-Z].*");
      assertThat(help).allMatch(line -> line.length() <= 80 && !line.endsWith(" "));
      assertThat(help).contains("Examples:");
      assertThat(help.get(help.indexOf("Examples:") + 1)).startsWith("  ./gilmok " + command);
      assertThat(help.stream().filter(line -> line.matches("  \\S+ {2,}\\S.*")))
          .filteredOn(line -> !line.contains("gilmok"))
          .allMatch(line -> line.matches("  \\S+(, --help)? {2,}(A |[A-Z]).*"));
    }
    assertThat(said("--help")).contains("GILMOK_URL", "completion");
  }

  /** Every command that the launcher passes on is in its help. */
  @Test
  void help_listsEveryCommand() throws Exception {
    String script = Files.readString(root.resolve("gilmok"));
    String help = said("--help");
    for (Object command : Main.commands(new Signals())) {
      assertThat(help).contains("\n  " + command.getClass().getAnnotation(Command.class).name());
    }
    Matcher passed = Pattern.compile("\n    (serve \\|.*)\\)\n").matcher(script);
    assertThat(passed.find()).isTrue();
    for (String name : passed.group(1).split(" \\| ")) {
      assertThat(help).contains("\n  " + name + " ");
    }
  }

  /** What the launcher prints that is called in its own folder. */
  private String said(String arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", "./gilmok " + arguments).directory(root.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GILMOK_"));
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    return out;
  }

  @Test
  void helpOfAProgram_namesTheLauncherAsItWasCalled() throws Exception {
    run(Map.of(), "build");
    run(Map.of(), "keys", "--help");
    assertThat(lines("java.told")).noneMatch(line -> line.startsWith("-Dgilmok.called"));
    new ProcessBuilder("bash", "-c", "JAVA_HOME=$PWD/jdk HOME=$PWD ./gilmok keys --help")
        .directory(root.toFile())
        .start()
        .waitFor();
    assertThat(lines("java.told")).contains("-Dgilmok.called=./gilmok");
  }

  @Test
  void firstBuild_makesBothJars_soThatTheDemoNeedsNone() throws Exception {
    assertThat(run(Map.of(), "serve").code()).isZero();
    for (String command : List.of("demo", "lab", "completion", "keys", "serve")) {
      Ended ended = run(Map.of(), command);
      assertThat(ended.code()).as(ended.err()).isZero();
    }
    assertThat(lines("maven.told")).hasSize(1);
  }

  @Test
  void serve_afterAChangeOfTheServer_buildsThatAlone_andTheDemoTheLab() throws Exception {
    run(Map.of(), "serve");
    Files.setLastModifiedTime(
        Files.createFile(root.resolve("server/src/main/New.java")),
        FileTime.from(Instant.now().plusSeconds(1)));
    run(Map.of(), "serve");
    assertThat(lines("maven.told")).last().asString().contains("-pl server");
    run(Map.of(), "demo");
    assertThat(lines("maven.told")).last().asString().contains("-pl lab");
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

  @Test
  void build_inGit_saysOfWhichCommit() throws Exception {
    assertThat(run(Map.of(), "build").code()).isZero();
    assertThat(lines("maven.told")).singleElement().asString().doesNotContain("gilmok.commit");

    Files.writeString(root.resolve(".gitignore"), "*\n!pom.xml\n");
    git("init", "-q");
    git("add", "pom.xml");
    git("commit", "-q", "-m", "first");
    assertThat(run(Map.of(), "build").code()).isZero();
    assertThat(lines("maven.told").getLast())
        .containsPattern("-Dgilmok.commit=[0-9a-f]{40} -Dgilmok.commit-time=2026-01-02T03:04:05Z");

    Files.writeString(root.resolve("pom.xml"), "other");
    assertThat(run(Map.of(), "build").code()).isZero();
    assertThat(lines("maven.told").getLast()).containsPattern("commit=[0-9a-f]{40}-dirty ");
  }

  @Test
  void train_alone_makesTheCacheOfWhatIsBuilt() throws Exception {
    run(Map.of(), "build");
    Files.delete(cache());

    Ended trained = run(Map.of(), "train");

    assertThat(trained.code()).as(trained.err()).isZero();
    assertThat(cache()).exists();
    assertThat(lines("maven.told")).hasSize(1);
  }

  @Test
  void train_withAgent_makesACacheThatServeUsesWithOneAndWithoutOne() throws Exception {
    run(Map.of(), "build");
    Map<String, String> agent = Map.of("GILMOK_OPTS", "-javaagent:apm.jar");
    Ended without = run(agent, "serve");
    assertThat(without.err()).contains("as there is an agent").contains("gilmok train");
    assertThat(lines("java.told")).noneMatch(line -> line.contains("AOTCache"));

    for (String command : List.of("train", "build")) {
      Ended trained = run(Map.of(), command, "--with-agent");

      assertThat(trained.code()).as(trained.err()).isZero();
      assertThat(lines("training.told"))
          .containsSubsequence("--add-modules", "java.instrument", "-jar");
      assertThat(cache()).doesNotExist();
      for (Map<String, String> environment : List.of(agent, Map.<String, String>of())) {
        assertThat(run(environment, "serve").err()).isEmpty();
        assertThat(lines("java.told"))
            .startsWith(
                "-XX:AOTCache=" + cache().resolveSibling("gilmok-agent.aot").toRealPath(),
                "--add-modules",
                "java.instrument");
      }
    }

    assertThat(run(agent, "train").code()).isZero();
    assertThat(lines("training.told"))
        .contains("java.instrument")
        .doesNotContain("-javaagent:apm.jar");
    assertThat(cache()).doesNotExist();
    assertThat(run(Map.of(), "train").code()).isZero();
    assertThat(cache()).exists();
    run(Map.of(), "serve");
    assertThat(lines("java.told")).doesNotContain("--add-modules");
    Ended wrong = run(Map.of(), "build", "--agent");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("takes --with-agent or nothing, not --agent");
  }

  @Test
  void serve_withPacksBesideTheJar_hasThemOnTheClassPath() throws Exception {
    run(Map.of(), "build");
    Path jar = root.resolve("server/target/gilmok-all.jar").toRealPath();
    for (String pack : List.of("gilmok-b.jar", "gilmok-a.jar", "notes.txt")) {
      Path file = jar.resolveSibling("packs").resolve(pack);
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    }

    assertThat(run(Map.of(), "serve").code()).isZero();

    Path packs = jar.resolveSibling("packs");
    assertThat(lines("java.told"))
        .containsSubsequence(
            "-cp",
            jar + ":" + packs.resolve("gilmok-a.jar") + ":" + packs.resolve("gilmok-b.jar"),
            "gilmok.process.Main",
            "serve")
        .contains("-XX:AOTCache=" + cache().toRealPath())
        .doesNotContain("-jar");
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
        .contains("older than the jar and not used; \"gilmok train\" makes another");
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

  /** Git where the launcher is, with a committer and a time. */
  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of("-c", "user.name=A", "-c", "user.email=a@example.com"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_COMMITTER_DATE", "2026-01-02T12:04:05+09:00");
    assertThat(builder.start().waitFor()).isZero();
  }

  private void program(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
