package gilmok.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors are durable, only go forwards, and hold segments back. */
@Tag("unit")
final class CursorTest {
  private static final Path FOLDER = Path.of("/cursors");

  private final PowerLossDisk machine = new PowerLossDisk(1, PowerLossDisk.Lie.NONE);
  private PowerLossDisk.Process disk = machine.boot();
  private Cursors cursors = open();

  private Cursors open() {
    try {
      return open(disk);
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }

  private static Cursors open(Disk disk) throws IOException {
    disk.createFolder(FOLDER);
    return Cursors.open(disk, FOLDER, () -> 1000, Segments.list(disk, FOLDER));
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

  @Test
  void note_goesWithTheSequence_alsoAfterAPowerLoss() throws Exception {
    Cursor cursor = cursors.of("a");
    assertThat(cursor.note()).isEmpty();
    cursor.advance(5, new byte[] {1, 0, 2, 0});
    cursor.advance(5, new byte[] {3, 0});
    loseAndOpen();
    assertThat(cursors.of("a").sequence()).isEqualTo(5);
    assertThat(cursors.of("a").note()).containsExactly(3, 0);
    cursors.of("a").advance(6);
    cursors.of("a").note()[0] = 9;
    loseAndOpen();
    assertThat(cursors.of("a").note()).containsExactly(3, 0);
    Cursor again = cursors.of("a");
    assertThatThrownBy(() -> again.advance(7, new byte[Cursor.NOTE_BYTES_MAX + 1]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> again.advance(4, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(again.sequence()).isEqualTo(6);
  }

  @Test
  void rewind_isThereAfterAPowerLoss_andNotForwards() throws Exception {
    Cursor cursor = cursors.of("a");
    cursor.advance(9, new byte[] {1});
    assertThatThrownBy(() -> cursor.rewind(10, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cursor.rewind(-1, new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    cursor.rewind(3, new byte[] {2});
    assertThat(cursors.passedByAll()).isEqualTo(3);
    loseAndOpen();
    assertThat(cursors.of("a").sequence()).isEqualTo(3);
    assertThat(cursors.of("a").note()).containsExactly(2);
  }

  /** At whichever operation the machine dies, the file holds the old pair or the new one. */
  @Test
  void changes_powerLostAtAnyOperation_sequenceAndNoteAreOfOneChange() throws Exception {
    for (int at = 1; at <= 40; at++) {
      PowerLossDisk dying = new PowerLossDisk(at, PowerLossDisk.Lie.NONE);
      PowerLossDisk.Process process = dying.boot();
      process.createFolder(FOLDER);
      Cursor cursor = open(process).of("a");
      process.goDownAt(at);
      int done = 0;
      try {
        for (int i = 1; i <= 4; i++) {
          cursor.advance(10 * i, new byte[] {(byte) (10 * i)});
          cursor.rewind(10 * i - 5, new byte[] {(byte) (10 * i - 5)});
          done = 10 * i - 5;
        }
      } catch (IOException down) {
        assertThat(process.isDown()).isTrue();
      }
      dying.losePower();
      Cursor found = open(dying.boot()).of("a");
      assertThat(found.sequence()).isGreaterThanOrEqualTo(done);
      assertThat(found.sequence()).isLessThanOrEqualTo(done + 15L);
      if (found.sequence() > 0) {
        assertThat(found.note()).containsExactly((byte) found.sequence());
      }
    }
  }

  @Test
  void forget_isDurable_andTheCursorIsOfNoUse() throws Exception {
    Cursor cursor = cursors.of("a");
    cursors.of("b").advance(2);
    assertThat(cursors.names()).containsExactly("a", "b");
    assertThat(cursors.forget("a")).isTrue();
    assertThat(cursors.forget("a")).isFalse();
    assertThat(cursors.passedByAll()).isEqualTo(2);
    assertThatThrownBy(() -> cursor.advance(1)).isInstanceOf(IllegalStateException.class);
    loseAndOpen();
    assertThat(cursors.names()).containsExactly("b");
  }

  private void loseAndOpen() {
    machine.losePower();
    disk = machine.boot();
    cursors = open();
  }
}
