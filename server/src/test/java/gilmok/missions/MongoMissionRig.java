package gilmok.missions;

import com.mongodb.client.MongoDatabase;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.Map;

/** Missions in a MongoDB's database of their own, which goes with them. */
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

  /** With connections of its own, as another server has them. */
  MongoDocuments reconnected() {
    documents.close();
    documents = new MongoDocuments(server.config(database, Map.of()), new Meters());
    return documents;
  }

  /** The database as others see it. */
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
