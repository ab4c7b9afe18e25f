package gilmok.lab.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class TarFileTest {
  @TempDir Path folder;

  private Path unpack(Path archive) throws IOException {
    Path into = Files.createDirectories(folder.resolve("into"));
    TarFile.unpack(archive, "top/data", name -> name.endsWith(".txt"), into);
    return into;
  }

  @Test
  void unpack_wantedFiles_areWhole_andNoOthersThere() throws Exception {
    String long1 = "x".repeat(1500);
    Path archive =
        new MadeTar()
            .file("top/read.txt", "of no interest")
            .folder("top/data")
            .file("top/data/a.txt", "eins\n")
            .file("top/data/b.bin", "zwei")
            .file("top/data/sub/c.txt", long1)
            .file("top/data/empty.txt", "")
            .write(folder.resolve("a.tar.gz"));
    Path into = unpack(archive);
    assertThat(FolderHash.names(into)).containsExactly("a.txt", "empty.txt", "sub/c.txt");
    assertThat(into.resolve("a.txt")).hasContent("eins\n");
    assertThat(into.resolve("sub/c.txt")).hasContent(long1);
  }

  @Test
  void unpack_nameWithPrefix_isJoined() throws Exception {
    String deep = "top/data/" + "folder/".repeat(16) + "a.txt";
    Path archive = new MadeTar().file(deep, "deep").write(folder.resolve("a.tar.gz"));
    assertThat(FolderHash.names(unpack(archive))).containsExactly("folder/".repeat(16) + "a.txt");
  }

  @Test
  void unpack_nameThatLeadsOut_isRefused() throws Exception {
    Path archive =
        new MadeTar().file("top/data/../../../a.txt", "x").write(folder.resolve("a.tar.gz"));
    assertThatThrownBy(() -> unpack(archive)).hasMessageContaining("leads out of the archive");
    assertThat(folder.resolve("../a.txt")).doesNotExist();
  }

  @Test
  void unpack_cutOrDamaged_isRefused() throws Exception {
    byte[] tar = new MadeTar().file("top/data/a.txt", "y".repeat(600)).bytes();
    Path cut = MadeTar.write(Arrays.copyOf(tar, 700), folder.resolve("cut.tar.gz"));
    assertThatThrownBy(() -> unpack(cut)).hasMessageContaining("a.txt: the archive ends within it");
    tar[124] = 'z';
    Path damaged = MadeTar.write(tar, folder.resolve("damaged.tar.gz"));
    assertThatThrownBy(() -> unpack(damaged)).hasMessageContaining("top/data/a.txt: no size");
  }
}
