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
    ErasedList list = new ErasedList(Map.of("p-a", 5L)).plus("p-b", 7);
    list.write(disk, file);
    assertThat(ErasedList.read(disk, file)).isEqualTo(list);
  }

  @Test
  void plus_theLaterTimeCounts() {
    ErasedList list = new ErasedList(Map.of("p-a", 5L)).plus("p-a", 3).plus("p-b", 7);
    assertThat(list.erased()).containsOnly(Map.entry("p-a", 5L), Map.entry("p-b", 7L));
    assertThat(list.plus(new ErasedList(Map.of("p-a", 9L))).erased()).containsEntry("p-a", 9L);
  }

  @Test
  void damaged_isNoEmptyList() throws Exception {
    Path file = folder.resolve(ErasedList.FILE);
    new ErasedList(Map.of("p-a", 5L)).write(disk, file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[9] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> ErasedList.read(disk, file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("erased is damaged");
  }
}
