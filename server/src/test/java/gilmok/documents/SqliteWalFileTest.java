package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteWalFileTest {
  private static final int WRITES = 20;
  private static final List<List<String>> TABLE =
      List.of(List.of("CREATE TABLE numbers (n INTEGER PRIMARY KEY)"));

  @TempDir Path folder;
  private Path killed;

  /** Leaves the files as a killed process does: no write was moved from the log into the file. */
  @BeforeEach
  void kill() throws Exception {
    killed = Files.createDirectory(folder.resolve("killed"));
    Path alive = Files.createDirectory(folder.resolve("alive"));
    try (SqliteDatabase database = open(alive)) {
      for (int i = 0; i < WRITES; i++) {
        int n = i;
        database.write(session -> insert(session, n));
      }
      for (String suffix : List.of("", "-wal", "-shm")) {
        String name = SqliteDatabase.FILE + suffix;
        Files.copy(alive.resolve(name), killed.resolve(name));
      }
    }
    assertThat(damage()).isNull();
  }

  @Test
  void damage_ofAnyFrame_isSeen_whereSqliteItselfWouldDropWhatCameAfter() throws Exception {
    byte[] sound = Files.readAllBytes(log());
    for (int at = 0; at < sound.length; at += 997) {
      byte[] damaged = sound.clone();
      damaged[at] ^= 4;
      Files.write(log(), damaged);
      assertThat(damage()).as("at " + at).contains("are sound");
    }
    assertThat(count()).as("without a word").isLessThan(WRITES);
  }

  @Test
  void damage_ofALogThatIsCutShortOrGone_isSeen() throws Exception {
    byte[] sound = Files.readAllBytes(log());
    for (int length : new int[] {sound.length - 1, sound.length / 2, 31, 0}) {
      Files.write(log(), Arrays.copyOf(sound, length));
      assertThat(damage()).as("of length " + length).contains("are sound");
    }
    Files.delete(log());
    assertThat(damage()).contains("0 are sound");
  }

  @Test
  void damage_withoutAnIndexThatSaysHowMuchThereWas_isNotKnown() throws Exception {
    Path index = killed.resolve(SqliteDatabase.FILE + "-shm");
    byte[] bytes = Files.readAllBytes(index);
    bytes[17] ^= 1;
    Files.write(index, bytes);
    assertThat(damage()).isNull();
    Files.delete(index);
    assertThat(damage()).isNull();
    assertThat(count()).isEqualTo(WRITES);
  }

  @Test
  void damage_afterAStopInOrder_isNone() throws Exception {
    open(killed).close();
    assertThat(log()).doesNotExist();
    assertThat(damage()).isNull();
  }

  @Test
  void writeAgain_leavesItAsItIs() throws Exception {
    byte[] before = Files.readAllBytes(log());
    SqliteWalFile.writeAgain(killed.resolve(SqliteDatabase.FILE));
    assertThat(log()).hasBinaryContent(before);
    assertThat(count()).isEqualTo(WRITES);
  }

  private SqliteDatabase open(Path data) throws IOException {
    return SqliteDatabase.open(
        data, SqliteConfig.DEFAULTS, new Meters(), TABLE, SqliteSource.Folder.open(data));
  }

  private Path log() {
    return killed.resolve(SqliteDatabase.LOG_FILE);
  }

  private @Nullable String damage() throws IOException {
    return SqliteDatabase.logDamage(killed);
  }

  private int count() throws Exception {
    try (SqliteDatabase database = open(killed)) {
      return database.read(session -> session.number("SELECT count(*) FROM numbers"));
    }
  }

  private static boolean insert(SqliteSession session, int n) throws SQLException {
    session.run("INSERT INTO numbers VALUES (" + n + ")");
    return true;
  }
}
