package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of Maven's artifacts, over a repository that is made up. */
@Tag("process")
final class ArtifactsIT {
  private static final Path SCRIPT = Path.of("../.ci/artifacts").toAbsolutePath().normalize();

  @TempDir Path folder;
  private Path repository;

  /** What a run has said, and its exit code. */
  private record Told(int code, String text) {}

  @BeforeEach
  void begin() throws Exception {
    repository = Files.createDirectories(folder.resolve("repository"));
    put("io/made-up/edge/1/edge-1.jar", "the code");
    put("io/made-up/edge/1/edge-1.pom", "<project/>");
    Files.createDirectories(folder.resolve(".ci"));
    Files.copy(SCRIPT, folder.resolve(".ci/artifacts"));
    assertThat(run("list").code).isZero();
  }

  private void put(String path, String text) throws IOException {
    Path file = repository.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Told run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", folder + "/.ci/artifacts"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(Map.of("MAVEN_REPOSITORY", repository.toString()));
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Told(process.waitFor(), text);
  }

  @Test
  void artifactsThatAreTheSame_orNotThereYet_pass() throws Exception {
    assertThat(run("check")).isEqualTo(new Told(0, ""));
    Files.delete(repository.resolve("io/made-up/edge/1/edge-1.jar"));
    put("io/other/x/1/x-1.jar", "of another project");
    assertThat(run("check")).isEqualTo(new Told(0, ""));
  }

  @Test
  void artifactThatIsAnother_isNamed_andFails() throws Exception {
    put("io/made-up/edge/1/edge-1.jar", "other code");
    Told told = run("check");
    assertThat(told.code).isEqualTo(1);
    assertThat(told.text)
        .contains("io/made-up/edge/1/edge-1.jar: is not what .ci/artifacts.sha256 says")
        .doesNotContain("edge-1.pom");
  }

  @Test
  void artifactThatIsNew_isNamed_andThoseFromBeforeAreNotLookedAt() throws Exception {
    Path since = Files.writeString(folder.resolve("since"), "");
    FileTime before = FileTime.from(Instant.now().minusSeconds(60));
    put("io/made-up/edge/1/edge-1.jar", "other code");
    Files.setLastModifiedTime(repository.resolve("io/made-up/edge/1/edge-1.jar"), before);
    Files.setLastModifiedTime(repository.resolve("io/made-up/edge/1/edge-1.pom"), before);
    Files.setLastModifiedTime(since, FileTime.from(Instant.now().minusSeconds(30)));
    put("io/other/x/1/x-1.jar", "brought by the build");
    Told told = run("check", since.toString());
    assertThat(told.code).isZero();
    assertThat(told.text)
        .contains("io/other/x/1/x-1.jar: is not in .ci/artifacts.sha256 yet")
        .doesNotContain("edge");
  }

  @Test
  void noRepositoryYet_passes() throws Exception {
    Files.move(repository, folder.resolve("moved"));
    assertThat(run("check")).isEqualTo(new Told(0, ""));
    assertThat(run("what").code).isEqualTo(2);
  }
}
