package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of removed rows, byte by byte, before and after the file is written anew. */
@Tag("unit")
final class SqliteRewritingTest {
  private static final String PUT =
      "INSERT OR REPLACE INTO profiles (rider_id, json) VALUES (?, ?)";
  private static final String SECRET = "whereabouts-of-rider-7";
  private static final int ROWS = 2_000;

  @TempDir Path folder;

  private SqliteDatabase open() throws IOException {
    return SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, new Meters());
  }

  private List<String> filesWith(String text) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> has(file, text))
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  private static boolean has(Path file, String text) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException unread) {
      throw new AssertionError(unread);
    }
  }

  private static void fill(SqliteDatabase database, String text) throws Exception {
    boolean _ =
        database.write(
            session -> {
              for (int i = 0; i < ROWS; i++) {
                session.update(PUT, "r" + i, i % 3 == 0 ? text + "x".repeat(i % 97) : "other" + i);
              }
              return true;
            });
  }

  @Test
  void rewritten_nothingThatWasChangedOrRemovedIsLeft_andAllElseIs() throws Exception {
    try (SqliteDatabase database = open()) {
      fill(database, SECRET);
      database.update(
          "UPDATE profiles SET json = 'gone' WHERE json LIKE 'where%' AND rowid % 2 = 0");
      database.update("DELETE FROM profiles WHERE json LIKE 'where%'");
      assertThat(filesWith(SECRET)).as("an update and a removal leave it").isNotEmpty();
      assertThat(database.rewrite(1L << 30)).isTrue();
      assertThat(filesWith(SECRET)).isEmpty();
      assertThat(filesWith("other" + (ROWS - 1))).containsExactly(SqliteDatabase.FILE);
      assertThat(Files.size(folder.resolve(SqliteDatabase.LOG_FILE))).isZero();
      assertThat(
              database.list(
                  row -> row.getInt(1), "SELECT rowid FROM profiles WHERE json LIKE 'other%'"))
          .hasSize(ROWS - (ROWS + 2) / 3);
      database.update(PUT, "more", "later");
    }
    assertThat(SqliteDatabase.damage(folder)).isNull();
    try (SqliteDatabase again = open()) {
      String more =
          again.first(row -> row.getString(1), "SELECT json FROM profiles WHERE rider_id = 'more'");
      assertThat(more).isEqualTo("later");
    }
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.map(file -> file.getFileName().toString()))
          .containsExactly(SqliteDatabase.FILE);
    }
  }

  @Test
  void aFileThatIsTooLarge_isLeftAsItIs() throws Exception {
    try (SqliteDatabase database = open()) {
      fill(database, SECRET);
      assertThat(database.rewrite(10_000)).isFalse();
      assertThat(filesWith(SECRET)).isNotEmpty();
    }
  }

  @Test
  void whileSomebodyReads_itFailsInTime_andSucceedsLater() throws Exception {
    try (SqliteDatabase database = open()) {
      fill(database, SECRET);
      CountDownLatch reads = new CountDownLatch(1);
      CountDownLatch ends = new CountDownLatch(1);
      Thread reader =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      boolean _ =
                          database.read(
                              session -> {
                                session.run("BEGIN");
                                int _ = session.number("SELECT count(*) FROM profiles");
                                reads.countDown();
                                try {
                                  boolean _ = ends.await(1, TimeUnit.MINUTES);
                                } catch (InterruptedException hurried) {
                                  Thread.currentThread().interrupt();
                                }
                                session.run("COMMIT");
                                return true;
                              });
                    } catch (IOException | InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
      assertThat(reads.await(1, TimeUnit.MINUTES)).isTrue();
      assertThatThrownBy(() -> database.rewrite(1L << 30))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("long read");
      ends.countDown();
      reader.join();
      database.update(PUT, "more", "later");
      assertThat(database.rewrite(1L << 30)).isTrue();
    }
  }
}
