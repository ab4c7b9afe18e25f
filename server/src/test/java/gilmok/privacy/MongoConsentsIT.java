package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, over MongoDB, and what another node sees. */
@Tag("engine")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class MongoConsentsIT extends ConsentStoreContract {
  private final Meters meters = new Meters();
  private MongoServer server;
  private String database;
  private MongoDocuments documents;

  @Override
  ConsentStore open() throws IOException, InterruptedException {
    server = MongoServer.any();
    database = server.newDatabase();
    documents = new MongoDocuments(server.config(database, Map.of()), meters);
    return new MongoConsents(documents);
  }

  @Override
  void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }

  @Test
  void changes_areThoseSinceAMoment_ofTheDatabasesClock() throws Exception {
    assertThat(store.newestMillis()).isZero();
    store.put(consent("a", ConsentState.WITHDRAWN, 7), "p-a");
    long first = store.newestMillis();
    assertThat(first).isCloseTo(System.currentTimeMillis(), Offset.offset(60_000L));
    store.put(consent("b", ConsentState.OFF_DUTY, 7), "p-b");
    store.put(consent("a", ConsentState.GRANTED, 7), "p-a");
    ConsentStore.Changes changes = store.changes(first);
    assertThat(changes.isAll()).isTrue();
    assertThat(changes.throughMillis()).isEqualTo(store.newestMillis());
    assertThat(changes.consents()).extracting(Consent::riderId).contains("a", "b");
    assertThat(store.changes(store.newestMillis() + 1).consents()).isEmpty();
  }
}
