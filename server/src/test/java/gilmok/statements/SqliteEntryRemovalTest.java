package gilmok.statements;

import gilmok.documents.Declared;
import gilmok.documents.Query;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.event.RiderAlias;
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

@Tag("unit")
final class SqliteEntryRemovalTest extends EntryRemovalContract {
  @TempDir Path folder;
  private final Meters meters = new Meters();
  private SqliteDatabase database;

  @BeforeEach
  void open() throws IOException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
  }

  @AfterEach
  void close() throws IOException {
    List<Query> declared = new ArrayList<>(SqliteEntries.queries());
    declared.addAll(SqliteRemovalPlans.queries());
    declared.addAll(SqliteEntryRemoval.queries());
    declared.addAll(SqliteEntryErasure.queries());
    Declared.check(database, declared);
    database.close();
    meters.close();
  }

  @Override
  EntryStore store() {
    return new SqliteEntries(database);
  }

  @Override
  EntryRemoval removal() {
    return new SqliteEntryRemoval(database);
  }

  @Override
  long rename(RiderAlias alias) throws IOException, InterruptedException {
    return new SqliteEntryErasure(database).rename(alias);
  }
}
