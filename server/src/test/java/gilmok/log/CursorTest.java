package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors are durable, only go forwards, and hold segments back. */
final class CursorTest {
  private static final Path FOLDER = Path.of("/cursors");

  private final PowerLossDisk machine = new PowerLossDisk(1, PowerLossDisk.Lie.NONE);
  private PowerLossDisk.Process disk = machine.boot();
  private Cursors cursors = open();

  private Cursors open() {
    try {
      disk.createFolder(FOLDER);
      return Cursors.open(disk, FOLDER, () -> 1000, Segments.list(disk, FOLDER));
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  @Test
  void advance_isThereAfterAPowerLoss() throws Exception {
    Cursor cursor = cursors.of("sink");
    assertThat(cursor.sequence()).isZero();
    cursor.advance(7);
    cursor.advance(7);
    machine.losePower();
    disk = machine.boot();
    cursors = open();
    assertThat(cursors.of("sink").sequence()).isEqualTo(7);
    assertThat(cursors.of("sink").name()).isEqualTo("sink");
  }

  @Test
  void of_sameName_isTheSame() throws Exception {
    assertThat(cursors.of("sink")).isSameAs(cursors.of("sink"));
  }

  @Test
  void of_new_isDurableAtOnce() throws Exception {
    cursors.of("sink");
    machine.losePower();
    disk = machine.boot();
    cursors = open();
    assertThat(cursors.passedByAll()).isZero();
  }

  @Test
  void passedByAll_isTheLast_furthestTheFirst() throws Exception {
    assertThat(cursors.passedByAll()).isEqualTo(Long.MAX_VALUE);
    assertThat(cursors.furthest()).isZero();
    cursors.of("a").advance(5);
    cursors.of("b").advance(3);
    assertThat(cursors.passedByAll()).isEqualTo(3);
    assertThat(cursors.furthest()).isEqualTo(5);
  }

  @Test
  void advance_backwardsOrBeyondWhatIsDurable_isABug() throws Exception {
    Cursor cursor = cursors.of("a");
    cursor.advance(5);
    assertThatThrownBy(() -> cursor.advance(4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cursor.advance(1001)).isInstanceOf(IllegalArgumentException.class);
    assertThat(cursor.sequence()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "a/b", "a b", "ä", "a_b"})
  void of_noName_isABug(String name) {
    assertThatThrownBy(() -> cursors.of(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void open_leftoverOfAnAdvance_isNoCursor() throws Exception {
    cursors.of("a").advance(5);
    disk.create(FOLDER.resolve("a.cursor.tmp")).close();
    cursors = open();
    assertThat(cursors.passedByAll()).isEqualTo(5);
    cursors.of("a").advance(6);
    assertThat(disk.list(FOLDER)).containsExactly("a.cursor");
  }
}
