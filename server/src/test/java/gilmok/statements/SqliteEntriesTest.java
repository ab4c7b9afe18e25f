package gilmok.statements;

import gilmok.documents.Declared;
import gilmok.documents.Query;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept by SQLite. */
@Tag("unit")
final class SqliteEntriesTest extends EntryStoreContract {
  @TempDir Path folder;
  private Meters meters;
  private SqliteDatabase database;
  private EntryStore store;

  @BeforeEach
  void open() throws IOException {
    meters = new Meters();
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    store = new SqliteEntries(database);
  }

  @AfterEach
  void close() throws IOException {
    List<Query> declared = new ArrayList<>(SqliteEntries.queries());
    declared.addAll(SqliteRemovalPlans.queries());
    declared.addAll(SqliteEntryRemoval.queries());
    Declared.check(database, declared);
    database.close();
    meters.close();
  }

  @Override
  EntryStore store() {
    return store;
  }

  @Override
  EntryStore reopened() throws IOException {
    close();
    open();
    return store;
  }
}
