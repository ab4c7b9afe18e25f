package gilmok.process;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.log.SegmentOwner;
import gilmok.observe.Meters;
import gilmok.storage.DataFolder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok compact}, on a folder whose server is stopped, runs, or never was. */
@Tag("unit")
final class CompactCommandTest {
  @TempDir Path data;
  private final StringWriter text = new StringWriter();

  private int run(String... more) {
    PrintWriter out = new PrintWriter(text, true);
    String[] arguments = new String[3 + more.length];
    arguments[0] = "compact";
    arguments[1] = "--data";
    arguments[2] = data.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Commands.run(out, out, arguments, new CompactCommand());
  }

  private void make() throws Exception {
    try (Meters meters = new Meters();
        SqliteDatabase database = SqliteDatabase.open(data, SqliteConfig.DEFAULTS, meters)) {
      database.update("INSERT INTO profiles (rider_id, json) VALUES ('r', ?)", new byte[8 << 20]);
      database.update("UPDATE profiles SET json = '{}'");
    }
  }

  @Test
  void stopped_isCompacted_andSaysHowMuch() throws Exception {
    make();
    assertThat(run()).as(text.toString()).isZero();
    assertThat(text.toString()).containsPattern("documents\\.db: [89] MiB -> 0 MiB");
    try (Meters meters = new Meters();
        SqliteDatabase database = SqliteDatabase.open(data, SqliteConfig.DEFAULTS, meters)) {
      assertThat(database.list(row -> row.getString(1), "SELECT json FROM profiles"))
          .containsExactly("{}");
    }
  }

  @Test
  void inUse_orNoneOfOurs_isLeftAlone() throws Exception {
    assertThat(run()).isOne();
    assertThat(text.toString()).contains("has no documents.db");
    make();
    try (DataFolder _ =
        DataFolder.open(
            data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new SecureRandom())) {
      assertThat(run()).isOne();
    }
    assertThat(run("--set", "documents.mongo-uri=mongodb://127.0.0.1/x")).isOne();
    assertThat(text.toString()).contains("the documents are in MongoDB");
  }
}
