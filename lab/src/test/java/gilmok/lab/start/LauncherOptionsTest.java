package gilmok.lab.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class LauncherOptionsTest {
  @TempDir private Path work;

  @Test
  void read_thoseBeforeTheJar_withoutAnAotCache() {
    List<String> said =
        List.of("-Xmx512m", "-XX:AOTCache=some.aot", "-XX:+UseG1GC", "-jar", "a.jar", "serve");
    assertThat(LauncherOptions.read(said)).containsExactly("-Xmx512m", "-XX:+UseG1GC");
  }

  @Test
  void read_noJar_areTheUsual() {
    assertThat(LauncherOptions.read(List.of("Usage:"))).isEqualTo(LauncherOptions.USUAL);
  }

  @Test
  void of_theLauncher_areItsOwn() throws Exception {
    List<String> options = LauncherOptions.of(Path.of("..").toRealPath(), work);
    assertThat(options).anyMatch(option -> option.startsWith("-XX:+Use") && option.endsWith("GC"));
    assertThat(options).noneMatch(option -> option.startsWith("-XX:AOT"));
  }
}
