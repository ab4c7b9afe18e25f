package gilmok.auth;

import java.io.IOException;
import org.junit.jupiter.api.Tag;

/** The contract, over SQLite. */
@Tag("unit")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class SqliteKeysTest extends KeyStoreContract {
  private StoppedServerKeys kept;

  @Override
  KeyStore open() throws IOException {
    kept = new StoppedServerKeys(folder);
    return kept.store();
  }

  @Override
  void close() throws IOException {
    kept.close();
  }
}
