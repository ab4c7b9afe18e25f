package gilmok.pages;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class TileArchiveTest {
  @TempDir Path folder;
  private Path file;
  private final MapArchive written = new MapArchive();

  @BeforeEach
  void name() {
    file = folder.resolve("city.pmtiles");
  }

  @Test
  void open_aSoundFile_itsHeaderAndMetadata() throws IOException {
    written.write(file);
    try (TileArchive archive = TileArchive.open(file)) {
      assertThat(archive.isVector()).isTrue();
      assertThat(archive.attribution())
          .isEqualTo("<a href=\"https://maps.example/c\">Half & half</a>");
      assertThat(archive.size()).isEqualTo(Files.size(file));
      assertThat(archive.read(0, 7)).asString(US_ASCII).isEqualTo("PMTiles");
      assertThatThrownBy(() -> archive.read(archive.size() - 1, 2)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void open_picturesOrUnpacked_areReadToo() throws IOException {
    written.kind = 2;
    written.packing = 1;
    written.tilePacking = 1;
    written.metadata = "";
    written.write(file);
    try (TileArchive archive = TileArchive.open(file)) {
      assertThat(archive.isVector()).isFalse();
      assertThat(archive.attribution()).isEmpty();
    }
  }

  @Test
  void open_whatIsNoArchiveOfVersion3_isRefusedByName() throws IOException {
    refused("is missing");
    Files.createDirectory(file);
    refused("is no file");
    Files.delete(file);
    Files.writeString(file, "PMTiles");
    refused("is no PMTiles file");
    Files.writeString(file, "x".repeat(4000));
    refused("is no PMTiles file");
    written.version = 2;
    written.write(file);
    refused("is PMTiles version 2, not 3; \"pmtiles convert\" it");
  }

  @Test
  void open_aFileCutAnywhere_isRefused() throws IOException {
    byte[] whole = written.bytes();
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> TileArchive.open(file).close())
          .as("cut to %d bytes", length)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(file.toString());
    }
    refused("is not whole: it ends at byte " + (whole.length - 1));
  }

  @Test
  void open_sectionsOutsideOfTheFile_areRefused() throws IOException {
    byte[] whole = written.bytes();
    for (int at = 8; at < 72; at++) {
      byte[] wrong = whole.clone();
      wrong[at] = (byte) 0x80;
      Files.write(file, wrong);
      if (at % 8 == 7 || at % 8 > 1) {
        assertThatThrownBy(() -> TileArchive.open(file).close()).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void open_whatThePageCannotDraw_isRefused() throws IOException {
    written.packing = 3;
    written.write(file);
    refused("has its directories packed in another way than gzip");
    written.packing = 2;
    written.tilePacking = 4;
    written.write(file);
    refused("has its tiles packed in another way than gzip");
    written.tilePacking = 2;
    written.kind = 6;
    written.write(file);
    refused("has tiles of a kind that the map cannot draw: 6");
    written.kind = 1;
    written.metadata = "{\"vector_layers\":[{\"id\":\"transportation\"},{\"id\":\"place\"}]}";
    written.write(file);
    refused("has none of Protomaps' layers, but transportation, place");
    written.metadata = "no JSON";
    written.write(file);
    refused("has metadata that cannot be read");
  }

  @Test
  void isStill_untilTheFileIsAnother() throws IOException {
    written.write(file);
    Path next = folder.resolve("next");
    written.write(next);
    try (TileArchive archive = TileArchive.open(file)) {
      assertThat(archive.isStill(file)).isTrue();
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
      assertThat(archive.isStill(file)).isFalse();
      try (TileArchive other = TileArchive.open(file)) {
        assertThat(other.tag()).isNotEqualTo(archive.tag());
      }
      assertThat(archive.read(0, 127)).hasSize(127);
    }
  }

  private void refused(String reason) {
    assertThatThrownBy(() -> TileArchive.open(file).close()).hasMessage(file + " " + reason);
  }
}
