package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class KernelFileTest {
  private static final Path SETTING = Path.of("/proc/sys/kernel/pid_max");
  @TempDir Path folder;

  @Test
  void settingOfTheKernel_isReadWhole() throws Exception {
    assumeTrue(Files.isReadable(SETTING), "Linux only");
    String whole;
    try (BufferedReader reader = Files.newBufferedReader(SETTING)) {
      whole = reader.readLine();
    }
    assertThat(whole).hasSizeGreaterThan(1);
    assertThat(KernelFile.text(SETTING)).isEqualTo(whole);
    assertThat(KernelFile.bytes(SETTING)).asString().isEqualTo(whole + "\n");
  }

  @Test
  void whatCannotBeRead_isEmpty() {
    assertThat(KernelFile.text(folder)).isEmpty();
    assertThat(KernelFile.text(folder.resolve("none"))).isEmpty();
  }
}
