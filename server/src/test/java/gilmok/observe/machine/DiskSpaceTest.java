package gilmok.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
@Timeout(60)
final class DiskSpaceTest {
  @TempDir Path folder;

  @Test
  void gauges_haveTheDisksNumbers_alsoOfAFolderThatIsNotMadeYet() throws Exception {
    Path later = folder.resolve("a/b");
    try (Meters meters = new Meters();
        DiskSpace _ =
            new DiskSpace(List.of(folder, later, folder), meters, BackgroundLoops.unwatched())) {
      for (Path one : List.of(folder, later)) {
        while (value(meters, "gilmok_disk_bytes", one).isNaN()) {
          Thread.onSpinWait();
        }
        assertThat(value(meters, "gilmok_disk_free_bytes", one)).isPositive();
        assertThat(value(meters, "gilmok_disk_bytes", one))
            .isEqualTo((double) folder.toFile().getTotalSpace())
            .isGreaterThanOrEqualTo(value(meters, "gilmok_disk_free_bytes", one));
      }
    }
  }

  private static Double value(Meters meters, String name, Path of) {
    String start = name + "{folder=\"" + of + "\"} ";
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(start))
        .map(line -> Double.valueOf(line.substring(start.length())))
        .findFirst()
        .orElseThrow();
  }
}
