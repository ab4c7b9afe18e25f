package gilmok.auth;

import java.io.IOException;

/** The contract, over SQLite. */
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class SqliteKeysTest extends KeyStoreContract {
  private KeptKeys kept;

  @Override
  KeyStore open() throws IOException {
    kept = KeptKeys.open(folder);
    return kept.store();
  }

  @Override
  void close() throws IOException {
    kept.close();
  }
}
