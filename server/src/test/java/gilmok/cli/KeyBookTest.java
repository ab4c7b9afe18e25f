package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyBookTest {
  private static final Map<String, String> KEY = Map.of(Access.KEY_VARIABLE, "k");

  @TempDir Path folder;
  private final Access access = new Access();

  @BeforeEach
  void pointAtFolder() {
    access.data = folder;
  }

  @Test
  void open_folderIsFree_isTheFolder() throws IOException {
    DataFolder.open(folder, DataFolder.OnClone.REFUSE, new Random(1)).close();
    try (KeyBook keys = KeyBook.open(access, KEY)) {
      assertThat(keys).isInstanceOf(FolderKeys.class);
      // It is held as long as it is worked on.
      assertThatThrownBy(() -> FolderKeys.open(folder))
          .isInstanceOf(DataFolder.InUseException.class);
    }
  }

  @Test
  void open_folderIsHeld_isTheServer() throws IOException {
    try (DataFolder _ = DataFolder.open(folder, DataFolder.OnClone.REFUSE, new Random(1));
        KeyBook keys = KeyBook.open(access, KEY)) {
      assertThat(keys).isInstanceOf(HttpKeys.class);
    }
    assertThat(access.target(KEY).base()).hasToString("http://127.0.0.1:8080");
  }

  @Test
  void open_urlOrKeyGiven_isTheServer() throws IOException {
    DataFolder.open(folder, DataFolder.OnClone.REFUSE, new Random(1)).close();
    access.key = "k";
    try (KeyBook keys = KeyBook.open(access, Map.of())) {
      assertThat(keys).isInstanceOf(HttpKeys.class);
    }
    access.key = null;
    access.url = "http://127.0.0.1:1";
    try (KeyBook keys = KeyBook.open(access, KEY)) {
      assertThat(keys).isInstanceOf(HttpKeys.class);
    }
  }

  @Test
  void open_noDataFolder_isTheServerAndMakesNothing() throws IOException {
    try (KeyBook keys = KeyBook.open(access, KEY)) {
      assertThat(keys).isInstanceOf(HttpKeys.class);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void open_copiedFolder_saysWhatToDo() throws IOException {
    DataFolder.open(folder, DataFolder.OnClone.REFUSE, new Random(1)).close();
    Path copy = Files.createDirectory(folder.resolve("copy"));
    Files.copy(folder.resolve("node"), copy.resolve("node"));
    access.data = copy;
    assertThatThrownBy(() -> KeyBook.open(access, KEY))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("is a copy");
  }
}
