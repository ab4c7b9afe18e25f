package gilmok.audit;

import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.event.RiderAlias;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract, over SQLite. */
@Tag("unit")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class SqliteAuditTest extends AuditStoreContract {
  private final Meters meters = new Meters();

  @TempDir Path folder;
  private SqliteDatabase database;

  @Override
  AuditStore open() throws IOException, InterruptedException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    return new SqliteAudit(database);
  }

  @Override
  void close() throws IOException {
    database.close();
    meters.close();
  }

  @Override
  long rename(RiderAlias alias) throws IOException, InterruptedException {
    return new SqliteAuditErasure(database).rename(alias);
  }
}
