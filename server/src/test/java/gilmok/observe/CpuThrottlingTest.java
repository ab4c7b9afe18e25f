package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class CpuThrottlingTest {
  @TempDir Path folder;

  @Test
  void read_limitedContainer_itsNumbers() throws IOException {
    Path file = folder.resolve("cpu.stat");
    Files.writeString(
        file,
        "usage_usec 9\nnr_periods 120\nnr_throttled 7\nthrottled_usec 1500000\nnr_bursts x\n");
    CpuThrottling throttling = new CpuThrottling(file);

    assertThat(throttling.read("nr_periods")).isEqualTo(120);
    assertThat(throttling.read("nr_throttled")).isEqualTo(7);
    assertThat(throttling.read("throttled_usec")).isEqualTo(1_500_000);
    assertThat(throttling.read("nr_bursts")).isEqualTo(-1);
    assertThat(throttling.read("nr")).isEqualTo(-1);
    assertThat(throttling.throttledMicros()).isEqualTo(1_500_000);
  }

  @Test
  void throttledMicros_firstVersion_fromNanoseconds() throws IOException {
    Path file = folder.resolve("cpu.stat");
    Files.writeString(file, "nr_periods 120\nnr_throttled 7\nthrottled_time 1500000000\n");

    assertThat(new CpuThrottling(file).throttledMicros()).isEqualTo(1_500_000);
    assertThat(new CpuThrottling(null).throttledMicros()).isEqualTo(-1);
  }

  @Test
  void show_noSuchFile_showsNothing() {
    try (Meters meters = new Meters()) {
      long before = shown(meters);
      meters.show(new CpuThrottling(folder.resolve("none")));

      assertThat(shown(meters)).isEqualTo(before);
    }
  }

  /** How many lines there are of the processor; others come and go. */
  private static long shown(Meters meters) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.contains("gilmok_cpu_"))
        .count();
  }
}
