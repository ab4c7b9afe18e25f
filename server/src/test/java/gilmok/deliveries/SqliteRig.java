package gilmok.deliveries;

import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.stream.Collectors;

/** The stores over a database file of their own in a folder. */
final class SqliteRig implements StoreRig {
  private final Meters meters = new Meters();
  private final SqliteDatabase database;
  private final SqliteDeliveries deliveries;
  private final SqliteOutbox outbox;
  private final SqlitePartners partners;

  SqliteRig(Path folder, InstantSource clock) throws IOException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    deliveries = new SqliteDeliveries(database, clock);
    outbox = new SqliteOutbox(database, clock);
    partners = new SqlitePartners(database);
  }

  SqliteDatabase database() {
    return database;
  }

  /** How often, how long and for how many it has committed: the lines of its metrics. */
  String commits() {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(
            line -> line.matches("gilmok_documents_(commit_seconds|group_writes)_(sum|count).*"))
        .collect(Collectors.joining("\n"));
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
