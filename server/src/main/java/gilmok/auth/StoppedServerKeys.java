package gilmok.auth;

import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The store of keys in a data folder whose server is stopped. Not thread-safe. */
public final class StoppedServerKeys implements AutoCloseable {
  private final Meters meters = new Meters();
  private final SqliteDatabase database;

  /** Opens the store; the caller must hold the data folder's lock. */
  public StoppedServerKeys(Path folder) throws IOException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
  }

  /**
   * Whether a data folder holds keys. It holds none if its server keeps its documents in MongoDB.
   */
  public static boolean areIn(Path folder) {
    return Files.exists(folder.resolve(SqliteDatabase.FILE))
        || Files.exists(folder.resolve(KeysFile.NAME));
  }

  /** The store. */
  public KeyStore store() {
    return new SqliteKeys(database);
  }

  @Override
  public void close() throws IOException {
    database.close();
    meters.close();
  }
}
