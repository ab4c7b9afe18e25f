package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.SegmentOwner;
import gilmok.storage.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class FolderKeysTest {
  private static final String NO_KEYS = "{\"format\":1,\"adminKey\":null,\"keys\":[]}";

  @TempDir Path folder;

  @Test
  void takeIfStopped_freeFolder_isHeldAndGetsNoAdminKey() throws IOException {
    Files.writeString(folder.resolve("keys.json"), NO_KEYS);
    try (FolderKeys keys = FolderKeys.takeIfStopped(folder)) {
      assertThat(keys).isNotNull();
      assertThat(FolderKeys.takeIfStopped(folder)).isNull();
    }
    assertThat(folder.resolve("keys.json")).doesNotExist(); // they were moved into documents.db
    assertThat(folder.resolve("documents.db")).exists();
    assertThat(folder.resolve("admin.key")).doesNotExist();
  }

  @Test
  void takeIfStopped_heldFolder_isLeftToItsServer() throws IOException {
    Files.writeString(folder.resolve("keys.json"), NO_KEYS);
    try (DataFolder _ =
        DataFolder.open(folder, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new Random(1))) {
      assertThat(FolderKeys.takeIfStopped(folder)).isNull();
    }
  }

  @Test
  void takeIfStopped_folderWithoutKeys_isLeftAsItIs() throws IOException {
    assertThat(FolderKeys.takeIfStopped(folder)).isNull();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void takeIfStopped_copiedFolder_saysWhatToDo() throws IOException {
    DataFolder.open(folder, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new Random(1))
        .close();
    Path copy = Files.createDirectory(folder.resolve("copy"));
    Files.copy(folder.resolve("node"), copy.resolve("node"));
    Files.writeString(copy.resolve("keys.json"), NO_KEYS);
    assertThatThrownBy(() -> FolderKeys.takeIfStopped(copy))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("is a copy");
  }
}
