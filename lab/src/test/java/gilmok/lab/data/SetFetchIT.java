package gilmok.lab.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sets are brought from a repository and an archive on this machine, by git and from a file. */
@Tag("process")
class SetFetchIT {
  private static final Pattern FILES = Pattern.compile("\\w+\\.txt");

  @TempDir Path folder;
  private Path sets = Path.of("");
  private Path repository = Path.of("");

  @BeforeEach
  void aRepository() throws Exception {
    sets = folder.resolve("sets");
    repository = Files.createDirectories(folder.resolve("repository/data/sub")).resolve("../..");
    Files.writeString(repository.resolve("data/a.txt"), "one\n");
    Files.writeString(repository.resolve("data/b.png"), "a picture");
    Files.writeString(repository.resolve("data/sub/c.txt"), "below");
    Files.writeString(repository.resolve("other.txt"), "beside");
    git("init", "--quiet");
    git("add", ".");
    commit();
  }

  private void commit() throws Exception {
    git("-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-qm", "m");
  }

  private String git(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", repository.toString()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** The hash of {@code a.txt} alone, by {@code sha256sum a.txt | sha256sum}. */
  private static final String OF_A =
      "9e425e9b6ed9ee501647f86943509ed5d26f9b14ea340978999502040e986625";

  private static PublicSet set(SetOrigin origin, String sha256) {
    return new PublicSet("made", "Made up.", "none", origin, FILES, 1, sha256);
  }

  private SetOrigin atHead() throws Exception {
    return new SetOrigin.GitCommit(repository.toString(), git("rev-parse", "HEAD"), "data");
  }

  @Test
  void byGit_theFilesOfTheCommit_areThere() throws Exception {
    SetOrigin origin = atHead();
    // What is published later does not matter.
    Files.writeString(repository.resolve("data/a.txt"), "two\n");
    git("add", ".");
    commit();
    git("config", "uploadpack.allowAnySHA1InWant", "true");
    Path place = new SetFetch(set(origin, OF_A), null).into(sets);
    assertThat(place).isEqualTo(sets.resolve("made"));
    assertThat(FolderHash.names(sets)).containsExactly("made/a.txt");
    assertThat(place.resolve("a.txt")).hasContent("one\n");
  }

  @Test
  void byGit_fromACopy_isTheSame() throws Exception {
    SetOrigin elsewhere =
        new SetOrigin.GitCommit(
            folder.resolve("not-there").toString(), git("rev-parse", "HEAD"), "data");
    assertThatThrownBy(() -> new SetFetch(set(elsewhere, OF_A), null).into(sets))
        .hasMessageContaining("not-there");
    assertThat(new SetFetch(set(elsewhere, OF_A), repository.toString()).into(sets))
        .isDirectoryContaining("glob:**/a.txt");
  }

  @Test
  void otherContent_isRefused_andWhatWasThereStays() throws Exception {
    Files.createDirectories(sets.resolve("made"));
    Files.writeString(sets.resolve("made/old.txt"), "old");
    PublicSet other = set(atHead(), "0".repeat(64));
    assertThatThrownBy(() -> new SetFetch(other, null).into(sets))
        .hasMessageContaining("made is not as it was published: 1 files with SHA-256 " + OF_A);
    try (Stream<Path> all = Files.list(sets)) {
      assertThat(all).containsExactly(sets.resolve("made"));
    }
    assertThat(sets.resolve("made/old.txt")).hasContent("old");
  }

  @Test
  void archive_isUnpackedAndChecked() throws Exception {
    Path archive =
        new MadeTar()
            .file("made-1/data/a.txt", "one\n")
            .file("made-1/setup.py", "never run")
            .write(folder.resolve("made-1.tar.gz"));
    SetOrigin sources = new SetOrigin.PythonSources("made", "1", "0".repeat(64), "made-1/data");
    new SetFetch(set(sources, OF_A), archive.toString()).into(sets);
    assertThat(FolderHash.names(sets)).containsExactly("made/a.txt");
  }
}
