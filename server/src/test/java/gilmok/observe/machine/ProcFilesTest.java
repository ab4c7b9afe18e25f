package gilmok.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class ProcFilesTest {
  @TempDir Path root;

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void machineWithAll_itsNumbers() throws IOException {
    write("loadavg", "11.25 7.24 3.88 9/272 10682\n");
    write("meminfo", "MemTotal: 24684000 kB\nSwapTotal:  2048 kB\nSwapFree:  1024 kB\n");
    write("self/status", "Name:\tjava\nVmRSS:\t 300 kB\nVmSwap:\t      12 kB\n");
    write("self/stat", ProcessorPartsTest.line("java", 77, 1, 2, 3));
    write(
        "pressure/cpu",
        "some avg10=94.92 avg60=79.92 avg300=54.78 total=382500000\n"
            + "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
    // An older kernel has no second line of the processor.
    write("pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    ProcFiles files = new ProcFiles(root);

    assertThat(files.load()).isEqualTo(11.25);
    assertThat(files.swapUsedBytes()).isEqualTo(1 << 20);
    assertThat(files.processSwapBytes()).isEqualTo(12 << 10);
    assertThat(files.majorFaults()).isEqualTo(77);
    assertThat(files.pressureSeconds("cpu")).isEqualTo(382.5);
    assertThat(files.pressureSeconds("memory")).isZero();
    assertThat(files.pressureSeconds("io")).isEqualTo(-1);
  }

  @Test
  void machineWithoutThem_unknown() throws IOException {
    ProcFiles files = new ProcFiles(root);
    assertThat(files.load()).isEqualTo(-1);
    assertThat(files.swapUsedBytes()).isEqualTo(-1);
    assertThat(files.processSwapBytes()).isEqualTo(-1);
    assertThat(files.majorFaults()).isEqualTo(-1);
    assertThat(files.pressureSeconds("cpu")).isEqualTo(-1);

    write("loadavg", "");
    write("meminfo", "MemTotal: 24684000 kB\nSwapTotal: much kB\n");
    write("self/status", "Name:\tjava\n");
    write("self/stat", "nonsense");
    write("pressure/cpu", "full avg10=0.00 total=7\nsome avg10=0.00 total=\n");
    assertThat(files.load()).isEqualTo(-1);
    assertThat(files.swapUsedBytes()).isEqualTo(-1);
    assertThat(files.processSwapBytes()).isEqualTo(-1);
    assertThat(files.majorFaults()).isEqualTo(-1);
    assertThat(files.pressureSeconds("cpu")).isEqualTo(-1);
  }
}
