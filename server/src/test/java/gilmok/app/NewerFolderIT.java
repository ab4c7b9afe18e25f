package gilmok.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.Checkpoint;
import gilmok.storage.FileDisk;
import gilmok.storage.NewerFormatException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A data folder in which one file has the next format is refused: that file, its format and what to
 * do are named, and the file stays as it is. It is neither taken for damaged nor made again.
 */
@Tag("server")
final class NewerFolderIT {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "node",
        "log/*.log",
        "log/*.log, footer",
        "cursors/*.cursor",
        "cursors/ship.*.cursor, note",
        "snapshots/repeats",
        "snapshots/live",
        "documents.db",
        "devices",
        "inventory",
        "receipts/*/*.receipts",
        "jobs/*.job"
      })
  void nextFormat_isRefused_andTheFileStays(String name) throws Exception {
    EarlierFolder earlier = newest();
    Path file = FolderFormats.raise(earlier.data(), name);
    long format = requireNonNull(FolderFormats.of(earlier.data()).get(name));
    assertRefused(earlier, file, format);
  }

  @Test
  void nextFormatOfTheReserve_isRefused() throws Exception {
    EarlierFolder earlier = newest();
    Path file = earlier.data().resolve("snapshots/sequences");
    new Checkpoint(new FileDisk(), file).replace(out -> out.writeLong(-2));
    assertRefused(earlier, file, 2);
  }

  /** A file for which none of the cases above is there would be found here. */
  @Test
  void cases_areAllFormatsOfAFolder() throws Exception {
    ValueSource cases =
        NewerFolderIT.class
            .getDeclaredMethod("nextFormat_isRefused_andTheFileStays", String.class)
            .getAnnotation(ValueSource.class);
    assertThat(cases.strings())
        .containsExactlyInAnyOrderElementsOf(FolderFormats.of(newest().data()).keySet());
  }

  private EarlierFolder newest() throws Exception {
    return EarlierFolder.unpacked(EarlierFolder.archives().getLast(), folder);
  }

  private static void assertRefused(EarlierFolder earlier, Path file, long format)
      throws Exception {
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> earlier.start().close())
        .isInstanceOf(NewerFormatException.class)
        .hasMessage(
            "%s has format %d, and this program knows up to %d: start the newer version that wrote"
                    .formatted(file, format, format - 1)
                + " it, or put back a copy of the folder from before it");
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }
}
