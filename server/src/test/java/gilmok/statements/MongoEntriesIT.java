package gilmok.statements;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** The contract, kept by MongoDB. */
@Tag("engine")
final class MongoEntriesIT extends EntryStoreContract {
  private MongoEntryRig rig;
  private EntryStore store;

  @BeforeEach
  void open() throws Exception {
    rig = new MongoEntryRig();
    store = new MongoEntries(rig.documents());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Override
  EntryStore store() {
    return store;
  }

  @Override
  EntryStore reopened() throws Exception {
    store = new MongoEntries(rig.documents());
    return store;
  }
}
