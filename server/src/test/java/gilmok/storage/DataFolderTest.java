package gilmok.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.SegmentOwner;
import gilmok.storage.DataFolder.OnClone;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data folder belongs to one process and one node. */
@Tag("process")
final class DataFolderTest {
  @TempDir Path temp;

  @Test
  void open_new_makesAnIdThatStays() throws Exception {
    Path data = temp.resolve("a/b/data");
    NodeId node = idOf(data, OnClone.REFUSE);
    assertThat(idOf(data, OnClone.REFUSE)).isEqualTo(node);
    assertThat(idOf(data, OnClone.NEW_ID)).as("it is no clone").isEqualTo(node);
    assertThat(idOf(temp.resolve("other"), OnClone.REFUSE)).isNotEqualTo(node);
  }

  @Test
  void open_held_isRefused_andFreeAfterwards() throws Exception {
    Path data = temp.resolve("data");
    try (DataFolder held = open(data, OnClone.REFUSE)) {
      assertThat(held.path()).isEqualTo(data);
      assertThatThrownBy(() -> open(data, OnClone.REFUSE))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("in use");
    }
    idOf(data, OnClone.REFUSE);
  }

  @Test
  void open_heldByAnotherProcess_isRefused_untilThatIsKilled() throws Exception {
    Path data = temp.resolve("data");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                data.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("held");
      assertThatThrownBy(() -> open(data, OnClone.REFUSE))
          .isInstanceOf(UnusableFolderException.class);
    } finally {
      other.destroyForcibly();
      assertThat(other.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
    idOf(data, OnClone.REFUSE);
  }

  /** Opens the folder in another process and waits to be killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (DataFolder held = open(Path.of(arguments[0]), OnClone.REFUSE)) {
        System.out.println("held");
        System.out.flush();
        int next = System.in.read();
        System.out.println(next + held.path().toString());
      }
    }
  }

  @Test
  void open_copyOfAnotherNodes_isRefused_orTakesANewId_orKeepsIt() throws Exception {
    Path data = temp.resolve("data");
    NodeId node = idOf(data, OnClone.REFUSE);
    Path copy = copy(data, "copy");
    assertThatThrownBy(() -> open(copy, OnClone.REFUSE))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining(node.toString())
        .hasMessageContaining("new-id")
        .hasMessageContaining("keep-id");
    NodeId other = idOf(copy, OnClone.NEW_ID);
    assertThat(other).isNotEqualTo(node);
    assertThat(idOf(copy, OnClone.REFUSE)).isEqualTo(other);
    Path restored = copy(data, "restored");
    assertThat(idOf(restored, OnClone.KEEP_ID)).isEqualTo(node);
    assertThat(idOf(restored, OnClone.REFUSE)).isEqualTo(node);
    assertThat(idOf(data, OnClone.REFUSE)).isEqualTo(node);
  }

  @Test
  void open_moved_isNoCopy() throws Exception {
    Path data = temp.resolve("data");
    NodeId node = idOf(data, OnClone.REFUSE);
    Path moved = temp.resolve("moved");
    Files.move(data, moved);
    assertThat(idOf(moved, OnClone.REFUSE)).isEqualTo(node);
  }

  @Test
  void open_formatOfAnotherProgram_isRefused() throws Exception {
    Path data = temp.resolve("data");
    idOf(data, OnClone.REFUSE);
    String text = Files.readString(data.resolve("node"));
    Files.writeString(data.resolve("node"), text.replace("format=1", "format=3"));
    assertThatThrownBy(() -> open(data, OnClone.KEEP_ID))
        .isInstanceOf(UnusableFolderException.class)
        .hasMessageContaining("has format 3, and this program knows up to 2");
  }

  @Test
  void open_nodeFileDamaged_isRefused_andTheFolderIsNotHeld() throws Exception {
    Path data = temp.resolve("data");
    NodeId node = idOf(data, OnClone.REFUSE);
    String text = Files.readString(data.resolve("node"));
    byte[][] damaged = {
      {},
      {(byte) 0xff, (byte) 0xfe, 0, 1},
      text.replace("node=", "node=?").getBytes(StandardCharsets.UTF_8),
      text.replace("node=" + node, "").getBytes(StandardCharsets.UTF_8)
    };
    for (byte[] bytes : damaged) {
      Files.write(data.resolve("node"), bytes);
      assertThatThrownBy(() -> open(data, OnClone.NEW_ID))
          .isInstanceOf(UnusableFolderException.class)
          .hasMessageContaining("damaged");
    }
    Files.writeString(data.resolve("node"), text);
    assertThat(idOf(data, OnClone.REFUSE)).isEqualTo(node);
  }

  @Test
  void open_halfWrittenNodeFile_isWrittenAnew() throws Exception {
    Path data = temp.resolve("data");
    Files.createDirectories(data);
    Files.writeString(data.resolve("node.tmp"), "form");
    NodeId node = idOf(data, OnClone.REFUSE);
    assertThat(idOf(data, OnClone.REFUSE)).isEqualTo(node);
    assertThat(data.resolve("node.tmp")).doesNotExist();
  }

  private static DataFolder open(Path data, OnClone onClone) throws IOException {
    return DataFolder.open(data, SegmentOwner::ofNewest, onClone, new Random());
  }

  private static NodeId idOf(Path data, OnClone onClone) throws IOException {
    try (DataFolder folder = open(data, onClone)) {
      return folder.node();
    }
  }

  private Path copy(Path folder, String name) throws IOException {
    Path target = temp.resolve(name);
    Files.createDirectories(target);
    try (var files = Files.list(folder)) {
      files.forEach(
          file -> {
            try {
              Files.copy(file, target.resolve(file.getFileName()));
            } catch (IOException cannot) {
              throw new UncheckedIOException(cannot);
            }
          });
    }
    return target;
  }
}
