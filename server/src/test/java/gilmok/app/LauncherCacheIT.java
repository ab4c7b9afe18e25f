package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The launcher and the AOT cache: how it is made, and which program uses it. */
@Tag("process")
final class LauncherCacheIT extends LauncherCase {
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
}
