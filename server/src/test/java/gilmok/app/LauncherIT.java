package gilmok.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import gilmok.process.Main;
import gilmok.runtime.Signals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The launcher: what it builds, and becomes. */
@Tag("process")
final class LauncherIT extends LauncherCase {
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

  /** Every command of the program is passed on by the launcher, and is in its help. */
  @Test
  void commands_areThePrograms_andInTheHelp() throws Exception {
    Matcher passed =
        Pattern.compile("\n    (serve \\|.*)\\)\n")
            .matcher(Files.readString(root.resolve("gilmok")));
    assertThat(passed.find()).isTrue();
    List<String> names = new ArrayList<>(List.of(passed.group(1).split(" \\| ")));
    names.add("completion");

    assertThat(names)
        .containsExactlyInAnyOrderElementsOf(
            Commands.line("", Main.commands(new Signals())).getSubcommands().keySet());
    String help = said("--help");
    assertThat(names).allMatch(name -> help.contains("\n  " + name + " "));
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
}
