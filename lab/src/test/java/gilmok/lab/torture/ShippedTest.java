package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class ShippedTest {
  @TempDir Path folder;

  @Test
  void before_someInTwoFiles_eachOnceInOrder() throws IOException {
    file("b", line(3), line(1));
    file("a", line(2), line(3), line(4));
    assertThat(Shipped.before(folder, 4).values()).containsExactly(line(1), line(2), line(3));
    assertThat(Shipped.before(folder, 1)).isEmpty();
    assertThat(Shipped.recordIds(folder)).containsExactlyInAnyOrder("n:1", "n:2", "n:3", "n:4");
  }

  @Test
  void sequence_ofALine_orNone() {
    assertThat(Shipped.sequence(line(17))).isEqualTo(17);
    assertThat(Shipped.sequence("{\"sequence\":")).isZero();
    assertThat(Shipped.sequence("{\"sequence\":x,")).isZero();
  }

  private void file(String name, String... lines) throws IOException {
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    Files.write(folder.resolve(name + ".ndjson.zst"), Zstd.compress(text));
  }

  private static String line(int sequence) {
    return "{\"sequence\":%d,\"recordId\":\"n:%d\",\"record\":{}}".formatted(sequence, sequence);
  }
}
