package gilmok.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class PagesConfigTest {
  @TempDir Path folder;

  @Test
  void from_nothingGiven_noTiles() {
    assertThat(PagesConfig.from(new Settings(Map.of())))
        .isEqualTo(new PagesConfig("", null, "", false, ZoneId.of("Asia/Seoul")));
  }

  @Test
  void from_allGiven_fullMapping() {
    Map<String, String> given =
        Map.of(
            "map.tiles",
            "https://t.example/{z}/{x}/{y}.png",
            "map.attribution",
            "© us",
            "fleet.zone",
            "Europe/Berlin");

    assertThat(PagesConfig.from(new Settings(given)))
        .isEqualTo(
            new PagesConfig(
                "https://t.example/{z}/{x}/{y}.png",
                null,
                "© us",
                false,
                ZoneId.of("Europe/Berlin")));
  }

  @ParameterizedTest
  @CsvSource({
    "https://t.example/{z}/{x}/{y}.png, https://t.example",
    "http://127.0.0.1:8099/{z}/{x}/{y}, http://127.0.0.1:8099",
    "https://[::1]:1/{z}/{x}/{y}?k=v, https://[::1]:1"
  })
  void tilesOrigin_isWhatAPolicyCanName(String tiles, String origin) {
    assertThat(new PagesConfig(tiles, null, "", false, ZoneId.of("UTC")).tilesOrigin())
        .isEqualTo(origin);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "t.example/{z}/{x}/{y}",
        "ftp://t.example/{z}/{x}/{y}",
        "https://t.example;script-src *//{z}/{x}/{y}",
        "https://me@t.example/{z}/{x}/{y}",
        "https://*/{z}/{x}/{y}",
        "https://t.example /{z}/{x}/{y}",
        "https:///{z}/{x}/{y}"
      })
  void from_tilesThatAreNoUrl_problem(String tiles) {
    Settings settings = new Settings(Map.of("map.tiles", tiles));
    PagesConfig.from(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .containsExactly("map.tiles: \"" + tiles + "\" is no http or https URL");
  }

  @Test
  void from_tilesWithoutTheirPlace_problem() {
    Settings settings = new Settings(Map.of("map.tiles", "https://t.example/{z}.png"));
    PagesConfig.from(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .containsExactly("map.tiles: lacks {x}", "map.tiles: lacks {y}");
  }

  @Test
  void from_tilesFile_itsPath() throws IOException {
    Path file = folder.resolve("city.pmtiles");
    new MapArchive().write(file);

    assertThat(PagesConfig.from(new Settings(Map.of("map.tiles-file", file.toString()))))
        .isEqualTo(new PagesConfig("", file, "", false, ZoneId.of("Asia/Seoul")));
  }

  @Test
  void from_tilesFileThatCannotBeUsed_orTilesTwice_problem() {
    Path file = folder.resolve("none.pmtiles");
    Settings settings =
        new Settings(
            Map.of("map.tiles", "https://t.example/{z}/{x}/{y}", "map.tiles-file", "" + file));
    PagesConfig.from(settings);

    assertThat(catchThrowableOfType(InvalidSettings.class, settings::finish).problems())
        .containsExactly(
            "map.tiles and map.tiles-file: give one of them, not both",
            "map.tiles-file: " + file + " is missing");
  }
}
