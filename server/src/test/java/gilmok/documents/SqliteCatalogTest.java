package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database does not open if its file lacks a table or an index of its version. */
@Tag("unit")
final class SqliteCatalogTest {
  @TempDir Path folder;

  @BeforeEach
  void make() throws IOException {
    open().close();
  }

  @Test
  void everyIndexAndTable_isMissed() throws Exception {
    int items = 0;
    try (SqliteSession session = session()) {
      for (SqliteSession.Item item : session.catalog().values()) {
        if (item.name().equals("retention")) {
          continue; // each start makes it again
        }
        session.run("BEGIN");
        session.run("DROP " + (item.isIndex() ? "INDEX " : "TABLE ") + item.name());
        assertThat(SqliteCatalog.faults(file(), session, SqliteSchema.MIGRATIONS))
            .as(item.name())
            .hasSize(1)
            .first()
            .asString()
            .contains((item.isIndex() ? "lacks the index " : "lacks the table ") + item.name());
        session.run("ROLLBACK");
        items++;
      }
      assertThat(items).isGreaterThan(15);
      assertThat(SqliteCatalog.faults(file(), session, SqliteSchema.MIGRATIONS)).isEmpty();
    }
  }

  @Test
  void droppedIndex_doesNotStart_untilItIsMadeAsTheLineSays() throws Exception {
    run("DROP INDEX deliveries_of_shop");
    String made = "CREATE INDEX deliveries_of_shop ON deliveries (shop_id, id)";
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file() + " lacks the index deliveries_of_shop of deliveries")
        .hasMessageContaining("sqlite3 " + file() + " \"" + made + "\"");
    run(made);
    open().close();
  }

  @Test
  void indexOfAnotherShape_doesNotStart() throws Exception {
    run("DROP INDEX deliveries_of_shop");
    run("CREATE INDEX deliveries_of_shop ON deliveries (shop_id)");
    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("(shop_id)\" and has to be")
        .hasMessageContaining("drop it and make that one");
  }

  @Test
  void anIndexMore_isNoMatter() throws Exception {
    run("CREATE INDEX mine ON deliveries (status, shop_id)");
    open().close();
  }

  private SqliteDatabase open() throws IOException {
    return SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, new Meters());
  }

  private Path file() {
    return folder.resolve(SqliteDatabase.FILE);
  }

  private SqliteSession session() throws IOException {
    return SqliteSession.toWrite(file(), Duration.ofSeconds(10));
  }

  private void run(String sql) throws IOException, SQLException {
    try (SqliteSession session = session()) {
      session.run(sql);
    }
  }
}
