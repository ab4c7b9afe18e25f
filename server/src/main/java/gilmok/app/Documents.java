package gilmok.app;

import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.MongoDeliveries;
import gilmok.deliveries.MongoPartners;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.PartnerStore;
import gilmok.deliveries.SqliteDeliveries;
import gilmok.deliveries.SqliteOutbox;
import gilmok.deliveries.SqlitePartners;
import gilmok.documents.DocumentsConfig;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** Where a server keeps its documents: what the settings choose, opened. Thread-safe. */
sealed interface Documents extends AutoCloseable {
  /** Opens what the settings choose: MongoDB where it is set, else SQLite. */
  static Documents open(
      DocumentsConfig config, MongoConfig mongo, Path data, Meters meters, InstantSource clock)
      throws IOException, InterruptedException {
    if (mongo.uri() == null) {
      return new InSqlite(SqliteDatabase.open(data, config, meters), clock);
    }
    MongoDocuments database = new MongoDocuments(mongo, meters);
    try {
      return new InMongo(
          database, MongoDeliveries.open(database, clock), MongoPartners.open(database));
    } catch (IOException | InterruptedException e) {
      database.close();
      throw e;
    }
  }

  DeliveryStore deliveries();

  Outbox outbox();

  PartnerStore partners();

  @Override
  void close() throws IOException;

  /** In a file of the data folder. */
  record InSqlite(SqliteDatabase database, InstantSource clock) implements Documents {
    @Override
    public DeliveryStore deliveries() {
      return new SqliteDeliveries(database, clock);
    }

    @Override
    public Outbox outbox() {
      return new SqliteOutbox(database, clock);
    }

    @Override
    public PartnerStore partners() {
      return new SqlitePartners(database);
    }

    @Override
    public void close() throws IOException {
      database.close();
    }
  }

  /** In MongoDB, for any number of servers. */
  record InMongo(MongoDocuments database, MongoDeliveries deliveries, MongoPartners partners)
      implements Documents {
    @Override
    public Outbox outbox() {
      return deliveries;
    }

    @Override
    public void close() {
      database.close();
    }
  }
}
