package gilmok.lab.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The sets, their row in the page, and what the commands say of them. Nothing is brought. */
@Tag("unit")
class PublicSetTest {
  @TempDir Path folder;

  @Test
  void sets_areWholeAndInThePage() throws Exception {
    String page = Files.readString(Path.of("../docs/data.md"));
    assertThat(PublicSet.ALL).extracting(PublicSet::name).doesNotHaveDuplicates();
    for (PublicSet set : PublicSet.ALL) {
      assertThat(set.sha256()).matches("[0-9a-f]{64}");
      assertThat(set.licence()).isNotBlank();
      assertThat(page.lines().filter(line -> line.startsWith("| `" + set.name() + "` |")))
          .as("the row of docs/data.md for " + set.name())
          .singleElement()
          .asString()
          .contains(set.sha256().substring(0, 12), "%,d".formatted(set.count()));
      if (set.origin() instanceof SetOrigin.GitCommit commit) {
        assertThat(commit.commit()).matches("[0-9a-f]{40}");
      }
    }
  }

  @Test
  void hash_isThatOfSha256sumsLines() throws Exception {
    Files.createDirectory(folder.resolve("b"));
    Files.writeString(folder.resolve("b/c.txt"), "two\n", StandardCharsets.UTF_8);
    Files.writeString(folder.resolve("a.txt"), "one\n", StandardCharsets.UTF_8);
    // printf 'one\n' >a.txt; printf 'two\n' >b/c.txt; sha256sum a.txt b/c.txt | sha256sum
    assertThat(FolderHash.of(folder))
        .isEqualTo("b473eefcfe77d36d156bcc1c454f465e1632a313169c05561eab9b4d11c4e687");
  }

  @Test
  void list_hasLicenceSourceAndChecksum_andWhatIsHere() throws Exception {
    Files.createDirectory(folder.resolve("mdrp"));
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new DataCommand())
            .setOut(new PrintWriter(out))
            .execute("list", "--data", folder.toString());
    assertThat(code).isZero();
    for (PublicSet set : PublicSet.ALL) {
      assertThat(out.toString())
          .contains(set.name() + ": ", set.licence(), set.origin().told(), set.sha256());
    }
    assertThat(out.toString())
        .contains("here     " + folder.resolve("mdrp"))
        .contains("here     no");
  }

  @Test
  void of_aSetThatIsNotThere_saysHowToBringIt() {
    Holder holder = new Holder();
    new CommandLine(holder).parseArgs("--data", folder.toString());
    SetFolder sets = holder.sets;
    assertThatThrownBy(() -> sets.of("tsppd")).hasMessageContaining("gilmok lab data get tsppd");
    assertThatThrownBy(() -> sets.of("x")).hasMessageContaining("no set x");
  }

  /** A command with the option alone. */
  @CommandLine.Command(name = "holder")
  private static final class Holder {
    @CommandLine.Mixin final SetFolder sets = new SetFolder();
  }
}
