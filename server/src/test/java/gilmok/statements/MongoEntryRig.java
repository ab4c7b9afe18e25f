package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndexes;
import gilmok.documents.MongoServer;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.Map;
import org.bson.Document;

/** Entries in a MongoDB database of their own, which is dropped at the end. */
final class MongoEntryRig implements AutoCloseable {
  private final MongoServer server;
  private final String database;
  private final Meters meters = new Meters();
  private final MongoDocuments documents;

  MongoEntryRig() throws IOException, InterruptedException {
    server = MongoServer.any();
    database = server.newDatabase();
    documents = new MongoDocuments(server.config(database, Map.of()), meters);
    assertThat(indexes().look()).isEmpty();
  }

  /** The indexes of the entries. */
  MongoIndexes indexes() {
    return new MongoIndexes(
        documents,
        MongoConfig.IndexMode.WHERE_EMPTY,
        Map.of(MongoEntries.COLLECTION, MongoEntries.INDEXES));
  }

  MongoDocuments documents() {
    return documents;
  }

  /** The collection through the tests' own client, past our code. */
  MongoCollection<Document> collection() {
    return server.database(database).getCollection(MongoEntries.COLLECTION);
  }

  @Override
  public void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }
}
