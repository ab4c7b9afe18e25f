package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class ErasedListTest {
  @TempDir Path folder;
  private final Disk disk = new FileDisk();

  @Test
  void written_isReadAgain_andNoneIsEmpty() throws Exception {
    Path file = folder.resolve(ErasedList.FILE);
    assertThat(ErasedList.read(disk, file).isEmpty()).isTrue();
    ErasedList list = ErasedList.NOBODY.plus("p-a", 5, "p-m").plus("p-b", 7, "p-n");
    list.write(disk, file);
    assertThat(ErasedList.read(disk, file)).isEqualTo(list);
    assertThat(list.marks()).containsOnly("p-m", "p-n");
  }

  @Test
  void plus_theLaterTimeCounts() {
    ErasedList list = list("p-a", 5).plus("p-a", 3, "p-m").plus("p-b", 7, "p-m");
    assertThat(list.erased()).containsOnly(Map.entry("p-a", 5L), Map.entry("p-b", 7L));
    assertThat(list.plus(list("p-a", 9)).erased()).containsEntry("p-a", 9L);
  }

  @Test
  void since_whoWasErasedAfterTheOtherListWasMade() {
    ErasedList newest = list("p-same", 5).plus("p-new", 7, "p-m").plus("p-again", 9, "p-m");
    ErasedList older = list("p-same", 5).plus("p-again", 6, "p-m");
    assertThat(newest.since(older).erased().keySet()).containsOnly("p-new", "p-again");
    assertThat(newest.since(older).marks()).containsOnly("p-m");
    assertThat(older.since(newest).isEmpty()).isTrue();
  }

  private static ErasedList list(String pseudonym, long atMillis) {
    return ErasedList.NOBODY.plus(pseudonym, atMillis, "p-m");
  }

  @Test
  void damaged_isNoEmptyList() throws Exception {
    Path file = folder.resolve(ErasedList.FILE);
    list("p-a", 5).write(disk, file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[9] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> ErasedList.read(disk, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("erased is damaged");
  }
}
