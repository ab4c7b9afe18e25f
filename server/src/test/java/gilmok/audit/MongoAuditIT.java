package gilmok.audit;

import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.event.RiderAlias;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The contract, over MongoDB. */
@Tag("engine")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class MongoAuditIT extends AuditStoreContract {
  private final Meters meters = new Meters();
  private MongoServer server;
  private String database;
  private MongoDocuments documents;

  @Override
  AuditStore open() throws IOException, InterruptedException {
    server = MongoServer.any();
    database = server.newDatabase();
    documents = new MongoDocuments(server.config(database, Map.of()), meters);
    return new MongoAudit(documents);
  }

  @Override
  void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }

  @Override
  long rename(RiderAlias alias) throws IOException, InterruptedException {
    return new MongoAuditErasure(documents).rename(alias);
  }
}
