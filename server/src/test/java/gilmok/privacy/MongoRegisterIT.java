package gilmok.privacy;

import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/** The contract, over MongoDB. */
@Tag("engine")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class MongoRegisterIT extends RegisterStoreContract {
  private final Meters meters = new Meters();
  private MongoServer server;
  private String database;
  private MongoDocuments documents;

  @Override
  RegisterStore open() throws IOException, InterruptedException {
    server = MongoServer.any();
    database = server.newDatabase();
    documents = new MongoDocuments(server.config(database, Map.of()), meters);
    return new MongoRegister(documents);
  }

  @Override
  void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }
}
