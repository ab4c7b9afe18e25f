package gilmok.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.PowerLossDisk;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A checkpoint holds its old content or its new one, whatever fails in between. */
@Tag("unit")
final class CheckpointTest {
  private static final Path FOLDER = Path.of("/checkpoints");

  private final PowerLossDisk machine = new PowerLossDisk(1, PowerLossDisk.Lie.NONE);
  private final Disk disk = machine.boot();
  private final Checkpoint file = new Checkpoint(disk, FOLDER.resolve("file"));

  @BeforeEach
  void folder() throws IOException {
    disk.createFolder(FOLDER);
  }

  @Test
  void read_nothingThere_isNull() throws Exception {
    assertThat(file.isThere()).isFalse();
    assertThat(file.read(DataInputStream::readLong)).isNull();
  }

  @Test
  void replace_largerThanTheBuffer_readsTheSame() throws Exception {
    byte[] bytes = new byte[200_000];
    new Random(5).nextBytes(bytes);
    file.replace(
        out -> {
          out.write(bytes[0]);
          out.write(bytes, 1, bytes.length - 1);
        });
    byte[] read = new byte[bytes.length];
    Boolean sound =
        file.read(
            in -> {
              in.readFully(read);
              return true;
            });
    assertThat(sound).isTrue();
    assertThat(read).isEqualTo(bytes);
  }

  @Test
  void replace_contentThrows_oldOneStays_andTheNextSucceeds() throws Exception {
    file.replace(out -> out.writeLong(1));
    assertThatThrownBy(
            () ->
                file.replace(
                    out -> {
                      out.writeLong(2);
                      throw new IOException("half-way");
                    }))
        .hasMessage("half-way");
    assertThat(file.read(DataInputStream::readLong)).isEqualTo(1);
    file.replace(out -> out.writeLong(3));
    assertThat(file.read(DataInputStream::readLong)).isEqualTo(3);
    assertThat(disk.list(FOLDER)).containsExactly("file");
  }

  @Test
  void keepRoom_isNotRead_andIsGivenUpByTheNextReplacement() throws Exception {
    file.keepRoom(5000);
    assertThat(file.read(DataInputStream::readLong)).isNull();
    file.replace(out -> out.writeLong(1));
    assertThat(disk.list(FOLDER)).containsExactly("file");
    file.keepRoom(5000);
    file.keepRoom(5000);
    assertThat(file.read(DataInputStream::readLong)).isEqualTo(1);
    file.replace(out -> out.writeLong(2));
    file.keepRoom(5000);
    file.delete();
    assertThat(disk.list(FOLDER)).isEmpty();
  }

  @Test
  void read_notToItsEnd_isNull() throws Exception {
    file.replace(
        out -> {
          out.writeLong(1);
          out.writeLong(2);
        });
    assertThat(file.read(DataInputStream::readLong)).isNull();
  }

  @Test
  void read_moreThanThereIs_isNull() throws Exception {
    file.replace(out -> out.writeLong(1));
    Long sum = file.read(in -> in.readLong() + in.readLong());
    assertThat(sum).isNull();
  }

  @Test
  void read_anyByteFlippedOrMissing_isNull() throws Exception {
    file.replace(out -> out.writeLong(77));
    for (int at = 0; at < 12; at++) {
      ByteBuffer one = ByteBuffer.allocate(1);
      try (Disk.File open = disk.open(FOLDER.resolve("file"))) {
        open.read(one, at);
        open.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 8)}), at);
        assertThat(file.read(DataInputStream::readLong)).isNull();
        assertThat(file.isThere()).isTrue();
        open.write(ByteBuffer.wrap(new byte[] {one.get(0)}), at);
      }
    }
    assertThat(file.read(DataInputStream::readLong)).isEqualTo(77);
    for (int length = 0; length < 12; length++) {
      Path cut = FOLDER.resolve("cut" + length);
      try (Disk.File made = disk.create(cut)) {
        made.write(ByteBuffer.allocate(length), 0);
      }
      assertThat(new Checkpoint(disk, cut).read(DataInputStream::readLong)).isNull();
    }
  }

  @Test
  void replace_powerIsLostAtAnyOperation_isTheOldOrTheNew() throws Exception {
    for (long seed = 1; seed <= 300; seed++) {
      PowerLossDisk lossy = new PowerLossDisk(seed, PowerLossDisk.Lie.NONE);
      PowerLossDisk.Process process = lossy.boot();
      process.createFolder(FOLDER);
      long asked = 0;
      long returned = 0;
      process.goDownAt(1 + seed % 40);
      try {
        while (true) {
          long value = ++asked;
          new Checkpoint(process, FOLDER.resolve("c")).replace(out -> out.writeLong(value));
          returned = value;
        }
      } catch (IOException down) {
        lossy.losePower();
      }
      Long left = new Checkpoint(lossy.boot(), FOLDER.resolve("c")).read(DataInputStream::readLong);
      assertThat(left == null ? 0 : left).as("seed %d", seed).isBetween(returned, asked);
    }
  }
}
