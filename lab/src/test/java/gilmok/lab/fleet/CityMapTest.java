package gilmok.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.pages.PagesConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo's city as a map: all of its streets, in a file that the server takes. */
@Tag("unit")
class CityMapTest {
  private final Streets streets = StreetsPlan.lay(new River(Seoul.BRIDGES), 7);

  @Test
  void lines_haveEveryStreetOnce() {
    Set<List<Integer>> drawn = new HashSet<>();
    List<StreetLines.Street> lines = StreetLines.of(streets);
    for (StreetLines.Street line : lines) {
      int[] at = line.crossings();
      for (int i = 0; i + 1 < at.length; i++) {
        assertThat(streets.kind(streets.way(at[i], at[i + 1]))).isEqualTo(line.kind());
        assertThat(drawn.add(List.of(Math.min(at[i], at[i + 1]), Math.max(at[i], at[i + 1]))))
            .as("drawn twice")
            .isTrue();
      }
    }
    int ways = streets.endWay(streets.size() - 1);
    assertThat(drawn).hasSize(ways / 2);
    assertThat(lines.size()).as("lines, not pieces").isLessThan(ways / 6);
    assertThat(lines.stream().filter(line -> line.kind() == Streets.Kind.BRIDGE).count())
        .as("a bridge is one line, and may go on as the next one")
        .isBetween(Seoul.BRIDGES.size() / 2L, (long) Seoul.BRIDGES.size());
  }

  @Test
  void file_isOneThatTheServerTakes(@TempDir Path folder) throws IOException, InvalidSettings {
    Path file = folder.resolve("city.pmtiles");
    CityMap.write(file, 7);
    Settings settings = new Settings(Map.of("map.tiles-file", file.toString()));
    assertThat(PagesConfig.from(settings).tilesFile()).isEqualTo(file);
    settings.finish();
    assertThat(Files.size(file)).isBetween(300_000L, 3_000_000L);
    Path again = folder.resolve("again.pmtiles");
    CityMap.write(again, 7);
    assertThat(file).hasSameBinaryContentAs(again);
  }

  @Test
  void cut_keepsWhatIsInside() {
    int[] around = {-5, -5, 15, -5, 15, 15, -5, 15};
    assertThat(Cut.square(around, 0, 10)).hasSize(8).containsOnly(0, 10);
    assertThat(Cut.square(new int[] {20, 0, 30, 0, 30, 10}, 0, 10)).isEmpty();
    int[] inside = {1, 1, 9, 1, 5, 9};
    assertThat(Cut.square(inside, 0, 10)).isEqualTo(inside);
    int[] corner = Cut.square(new int[] {5, 5, 13, 5, 5, 13}, 0, 10);
    assertThat(corner).containsExactly(5, 5, 10, 5, 10, 8, 8, 10, 5, 10);
  }
}
