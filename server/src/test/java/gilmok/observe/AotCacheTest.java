package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class AotCacheTest {
  @TempDir Path folder;

  @Test
  void of_whatIsMapped_isUsed() throws IOException {
    Path cache = Files.createFile(folder.resolve("길목.aot"));
    Path maps = folder.resolve("maps");
    Files.writeString(
        maps,
        "7ffc00000-7ffccf000 rw-p 00a8f000 fe:00 105 /usr/lib/libc.so\n"
            + "7f08e801b000-7f08e809b000 rw-p 009e9000 fe:00 106    "
            + cache.toRealPath()
            + "\n");

    assertThat(AotCache.of(cache.toString(), "", maps)).isEqualTo(AotCache.USED);
    Path other = Files.createFile(folder.resolve("other.aot"));
    assertThat(AotCache.of(other.toString(), "", maps)).isEqualTo(AotCache.UNUSED);
    assertThat(AotCache.of(folder.resolve("none").toString(), "", maps)).isEqualTo(AotCache.UNUSED);
    assertThat(AotCache.of(cache.toString(), "", folder.resolve("none")))
        .isEqualTo(AotCache.UNKNOWN);
  }

  @Test
  void of_noneGiven_none() {
    assertThat(AotCache.of("", "", folder)).isEqualTo(AotCache.NONE);
    assertThat(AotCache.of("", "some.aot", folder)).isEqualTo(AotCache.MAKING);
    assertThat(AotCache.ofThisProcess()).isEqualTo(AotCache.NONE);
  }
}
