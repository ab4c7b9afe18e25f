package gilmok.privacy;

import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract, over SQLite. */
@Tag("unit")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class SqliteRegisterTest extends RegisterStoreContract {
  private final Meters meters = new Meters();

  @TempDir Path folder;
  private SqliteDatabase database;

  @Override
  RegisterStore open() throws IOException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    return new SqliteRegister(database);
  }

  @Override
  void close() throws IOException {
    database.close();
    meters.close();
  }
}
