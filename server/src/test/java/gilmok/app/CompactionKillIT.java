package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program, killed while it puts files together: no record is lost, and it goes on. */
@Tag("process")
final class CompactionKillIT {
  private static final int FILES = 33;
  private static final int EACH = 2_000;

  @TempDir Path data;
  @TempDir Path files;
  private final ShippedPast past = new ShippedPast();

  @Test
  void killedAtEachStep_everyRecordIsThere_andTheFilesArePutTogether() throws Exception {
    try (RunningServer server = ShippedPast.start(data, files)) {
      past.ship(server, files, FILES, EACH);
    }
    int published = ShippedPast.published(files).size();
    killedWhen(() -> !ShippedPast.hidden(files).isEmpty());
    assertThat(ids()).containsExactly((long) past.count(), (long) past.count());
    assertThat(ShippedPast.published(files)).hasSize(published);
    assertThat(ShippedPast.hidden(files)).as("what was being written").isNotEmpty();

    killedWhen(() -> ShippedPast.hidden(files).stream().anyMatch(CompactionKillIT::isIntent));
    assertThat(ids().getFirst()).isEqualTo(past.count());
    assertThat(ShippedPast.hidden(files)).as("it will go on").anyMatch(CompactionKillIT::isIntent);

    killedWhen(() -> !ShippedPast.compacted(files).isEmpty());
    assertThat(ids().getFirst()).isEqualTo(past.count());

    try (RunningServer server = ShippedPast.start(data, files)) {
      Program.await(() -> ShippedPast.hidden(files).stream().allMatch(CompactionKillIT::isIntent));
      assertThat(ShippedPast.compacted(files)).isNotEmpty();
      assertThat(past.missing(server)).isEmpty();
    }
  }

  private static boolean isIntent(Path file) {
    return file.getFileName().toString().endsWith("-compaction");
  }

  /** Starts the program, and kills it at the moment that something is there. */
  private void killedWhen(Callable<Boolean> isThere) throws Exception {
    List<String> arguments = Program.serving(data);
    ShippedPast.settings(files).forEach(setting -> arguments.add("--set=" + setting));
    try (Program program = Program.start(arguments.toArray(String[]::new))) {
      long until = System.nanoTime() + 60_000_000_000L;
      while (!isThere.call()) {
        assertThat(System.nanoTime()).as(program.logged()).isLessThan(until);
        Thread.onSpinWait();
      }
      program.kill();
    }
  }

  /** How many records are in visible files: each once, and each as often as it is there. */
  private List<Long> ids() throws Exception {
    String all = "'" + files.resolve("stream=traces/*/*/[!.]*.parquet") + "'";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(DISTINCT record_id), count(*) FROM read_parquet(" + all + ")")) {
      rows.next();
      return new ArrayList<>(List.of(rows.getLong(1), rows.getLong(2)));
    }
  }
}
