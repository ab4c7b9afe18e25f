package gilmok.deliveries;

import gilmok.documents.DocumentsConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;

/** The stores over a database file of their own in a folder. */
final class SqliteRig implements StoreRig {
  private final Meters meters = new Meters();
  private final SqliteDatabase database;
  private final SqliteDeliveries deliveries;
  private final SqliteOutbox outbox;
  private final SqlitePartners partners;

  SqliteRig(Path folder, InstantSource clock) throws IOException {
    database = SqliteDatabase.open(folder, DocumentsConfig.DEFAULTS, meters);
    deliveries = new SqliteDeliveries(database, clock);
    outbox = new SqliteOutbox(database, clock);
    partners = new SqlitePartners(database);
  }

  SqliteDatabase database() {
    return database;
  }

  @Override
  public SqliteDeliveries deliveries() {
    return deliveries;
  }

  @Override
  public SqliteOutbox outbox() {
    return outbox;
  }

  @Override
  public SqlitePartners partners() {
    return partners;
  }

  @Override
  public void close() throws IOException {
    database.close();
    meters.close();
  }
}
