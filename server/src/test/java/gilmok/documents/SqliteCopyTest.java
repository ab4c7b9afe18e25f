package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteCopyTest {
  private static final List<List<String>> TABLE =
      List.of(List.of("CREATE TABLE numbers (n INTEGER PRIMARY KEY, filling BLOB)"));
  private static final String INSERT = "INSERT INTO numbers (filling) VALUES (zeroblob(4000))";
  private static final int FIRST = 3_000;

  @TempDir Path folder;

  @Test
  void whileOthersWrite_theCopyIsOfOneCommit_andWritingGoesOn() throws Exception {
    try (Meters meters = new Meters();
        SqliteDatabase database =
            SqliteDatabase.open(
                folder, SqliteConfig.DEFAULTS, meters, TABLE, SqliteSource.Folder.open(folder))) {
      int _ =
          database.write(
              session -> {
                for (int i = 0; i < FIRST; i++) {
                  session.update(INSERT);
                }
                return FIRST;
              });
      AtomicInteger written = new AtomicInteger(FIRST);
      AtomicInteger atSettled = new AtomicInteger();
      AtomicInteger duringCopy = new AtomicInteger();
      AtomicBoolean isOver = new AtomicBoolean();
      AtomicReference<Exception> failure = new AtomicReference<>();
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!isOver.get()) {
                        database.update(INSERT);
                        written.incrementAndGet();
                      }
                    } catch (IOException | InterruptedException failed) {
                      failure.set(failed);
                    }
                  });
      Path beside = Files.createDirectory(folder.resolve("copy"));
      Path copy = beside.resolve("documents.db");
      int before = written.get();
      AtomicInteger steps = new AtomicInteger();
      AtomicBoolean isWrong = new AtomicBoolean();
      database.copyTo(
          copy,
          new SqliteCopy.Watch() {
            @Override
            public void settled() {
              atSettled.set(written.get());
            }

            @Override
            public void copied(long bytes, long of) {
              steps.incrementAndGet();
              isWrong.compareAndSet(false, bytes < 0 || bytes > of);
              duringCopy.set(written.get());
            }
          },
          16L << 20);
      isOver.set(true);
      writer.join();
      assertThat(failure).hasNullValue();
      assertThat(steps.get()).isGreaterThan(3);
      assertThat(isWrong).isFalse();
      assertThat(duringCopy.get()).as("written meanwhile").isGreaterThan(atSettled.get());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
          .isEqualTo("rw-------");
      assertThat(SqliteDatabase.damage(beside)).isNull();
      try (SqliteDatabase copied =
          SqliteDatabase.open(
              beside,
              SqliteConfig.DEFAULTS,
              new Meters(),
              TABLE,
              SqliteSource.Folder.open(beside))) {
        // The copy sees one commit before it says so: others may write between the two. And one
        // write may be committed and not yet counted.
        assertThat(count(copied)).isBetween(before, atSettled.get() + 1);
      }
      assertThat(count(database)).isEqualTo(written.get());
      assertThat(database.bytes()).isGreaterThan((long) FIRST * 4_000);
    }
  }

  private static int count(SqliteDatabase database) throws Exception {
    List<Integer> counts = database.list(row -> row.getInt(1), "SELECT count(*) FROM numbers");
    return counts.getFirst();
  }
}
