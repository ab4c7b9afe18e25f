package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.Disk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A window of any size shows the file's bytes, also across its edges and from a disk whose reads
 * are short.
 */
@Tag("unit")
final class SegmentWindowTest {
  private static final Path FILE = Path.of("/file");

  private final byte[] bytes = new byte[1000];
  private final ByteBuffer all = ByteBuffer.wrap(bytes);

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 13, 64, 999, 1000, 4096})
  void anyWindow_showsWhatIsThere(int size) throws Exception {
    Random random = new Random(size);
    random.nextBytes(bytes);
    SegmentWindow window = window(size);
    assertThat(window.size()).isEqualTo(1000);
    for (int i = 0; i < 2000; i++) {
      int at = random.nextInt(993);
      assertThat(window.getLong(at)).isEqualTo(all.getLong(at));
      assertThat(window.getInt(at)).isEqualTo(all.getInt(at));
      int length = random.nextInt(1001 - at);
      assertThat(window.copy(at, length)).isEqualTo(all.slice(at, length));
      window.prefer(at, length);
      int from = random.nextInt(at + 1);
      assertThat(window.find(all.getLong(at), from, 1000)).isEqualTo(at);
      assertThat(window.find(all.getLong(at), from, at)).isEqualTo(-1);
    }
    assertThatThrownBy(() -> window.getLong(993)).isInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 13, 64, 999, 1000, 4096})
  void anyWindow_findsWhereZerosBegin(int size) throws Exception {
    for (int last = 0; last < 1000; last++) {
      bytes[last] = 1;
      SegmentWindow window = window(size);
      assertThat(window.endOfBytes(0)).isEqualTo(last + 1);
      assertThat(window.endOfBytes(last)).isEqualTo(last + 1);
      assertThat(window.endOfBytes(Math.min(1000, last + 3))).isEqualTo(Math.min(1000, last + 3));
      bytes[last / 2] = 0;
      bytes[last] = 0;
    }
  }

  private SegmentWindow window(int size) throws IOException {
    FaultyDisk disk = new FaultyDisk(new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot());
    disk.createFolder(Path.of("/"));
    disk.readAtMost(7);
    Disk.File file = disk.create(FILE);
    file.write(ByteBuffer.wrap(bytes), 0);
    return new SegmentWindow(file, size);
  }
}
