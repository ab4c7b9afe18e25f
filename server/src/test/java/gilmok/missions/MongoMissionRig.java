package gilmok.missions;

import com.mongodb.client.MongoDatabase;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.Map;

/** Missions in a MongoDB database of their own, which is dropped at the end. */
final class MongoMissionRig implements AutoCloseable {
  private final MongoServer server;
  private final String database;
  private final Meters meters = new Meters();
  private MongoDocuments documents;

  MongoMissionRig() throws IOException, InterruptedException {
    server = MongoServer.any();
    database = server.newDatabase();
    documents = connect();
  }

  private MongoDocuments connect() {
    return new MongoDocuments(server.config(database, Map.of()), meters);
  }

  MongoDocuments documents() {
    return documents;
  }

  /** Closes the connections and returns documents with new ones, as another server would have. */
  MongoDocuments reconnected() {
    documents.close();
    documents = new MongoDocuments(server.config(database, Map.of()), new Meters());
    return documents;
  }

  /** The database through the tests' own client, past our code. */
  MongoDatabase database() {
    return server.database(database);
  }

  @Override
  public void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }
}
