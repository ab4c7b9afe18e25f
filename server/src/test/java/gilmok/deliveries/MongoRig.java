package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndexes;
import gilmok.documents.MongoServer;
import gilmok.event.RiderAlias;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import org.bson.Document;

/** The stores in a MongoDB database of their own, which is dropped at the end. */
final class MongoRig implements StoreRig {
  private final MongoServer server;
  private final String database;
  private final Meters meters = new Meters();
  private final MongoDocuments documents;
  private final MongoDeliveries deliveries;
  private final MongoPartners partners;

  private MongoRig(MongoServer server, String database, InstantSource clock)
      throws IOException, InterruptedException {
    this.server = server;
    this.database = database;
    documents = new MongoDocuments(server.config(database, Map.of()), meters);
    deliveries = new MongoDeliveries(documents, clock, new UnreadableDeliveries(meters, clock));
    partners = new MongoPartners(documents);
    assertThat(indexes(MongoConfig.IndexMode.WHERE_EMPTY).look()).isEmpty();
    partners.addLeases();
  }

  /** Opens empty stores that read this clock. */
  static MongoRig open(InstantSource clock) throws IOException, InterruptedException {
    MongoServer server = MongoServer.any();
    return new MongoRig(server, server.newDatabase(), clock);
  }

  @Override
  public void damage(String id) {
    database()
        .getCollection("deliveries")
        .updateOne(
            new Document("_id", id), new Document("$set", new Document("status", "NO SUCH")));
  }

  @Override
  public void damage(OutboxReader reader, String id) {
    database()
        .getCollection("partners")
        .updateOne(
            new Document("_id", reader.name() + "/" + id),
            new Document("$set", new Document("events", 7)));
  }

  /** Removes a field from a stored partner. */
  void unset(OutboxReader reader, String id, String field) {
    database()
        .getCollection("partners")
        .updateOne(
            new Document("_id", reader.name() + "/" + id),
            new Document("$unset", new Document(field, "")));
  }

  @Override
  public double metric(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @Override
  public MongoDeliveries deliveries() {
    return deliveries;
  }

  @Override
  public Outbox outbox() {
    return deliveries;
  }

  @Override
  public MongoRemoval removal() {
    return new MongoRemoval(documents);
  }

  @Override
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    return new MongoDeliveryErasure(documents).rename(alias);
  }

  @Override
  public PartnerStore partners() {
    return partners;
  }

  /** The indexes of the deliveries, made or checked as the mode says. */
  MongoIndexes indexes(MongoConfig.IndexMode mode) {
    return new MongoIndexes(documents, mode, MongoDeliveries.indexes());
  }

  /** The database through the tests' own client, past our code. */
  MongoDatabase database() {
    return server.database(database);
  }

  /** The documents, with our own connections to that database. */
  MongoDocuments documents() {
    return documents;
  }

  /** The metrics of these stores. */
  Meters meters() {
    return meters;
  }

  @Override
  public void close() {
    documents.close();
    meters.close();
    server.drop(database);
  }
}
