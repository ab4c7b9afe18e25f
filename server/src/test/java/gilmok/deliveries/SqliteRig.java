package gilmok.deliveries;

import gilmok.documents.Declared;
import gilmok.documents.Query;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.event.RiderAlias;
import gilmok.observe.Meters;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The stores over a database file of their own, in a folder of the test. */
final class SqliteRig implements StoreRig {
  private final Meters meters = new Meters();
  private final SqliteDatabase database;
  private final SqliteDeliveries deliveries;
  private final SqliteOutbox outbox;
  private final UnreadableDeliveries unreadable;
  private final SqlitePartners partners;
  private final RecentDeliveries recent = new RecentDeliveries();
  private final List<Query> tests = new CopyOnWriteArrayList<>();

  SqliteRig(Path folder, InstantSource clock) throws IOException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    unreadable = new UnreadableDeliveries(meters, clock);
    deliveries = new SqliteDeliveries(database, clock, unreadable, recent);
    outbox = new SqliteOutbox(database, clock, unreadable, recent);
    partners = new SqlitePartners(database);
  }

  /** Declares a statement that the test itself prepares, and no store. */
  String own(String sql) {
    tests.add(Query.of("a test's own", sql));
    return sql;
  }

  SqliteDatabase database() {
    return database;
  }

  /**
   * The metrics lines of the commits: their count, their time, and how many writes they covered.
   */
  String commits() {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(
            line -> line.matches("gilmok_documents_(commit_seconds|group_writes)_(sum|count).*"))
        .collect(Collectors.joining("\n"));
  }

  UnreadableDeliveries unreadable() {
    return unreadable;
  }

  /** Forgets what is in memory, as a restart does: a test has written behind the store's back. */
  void forget() {
    recent.forget();
  }

  @Override
  public void damage(String id) throws IOException, InterruptedException {
    database.write(
        session -> {
          PreparedStatement damage =
              session.prepare(own("UPDATE deliveries SET document = x'7b22' WHERE id = ?"));
          damage.setString(1, id);
          return damage.executeUpdate();
        });
    forget();
  }

  @Override
  public void damage(OutboxReader reader, String id) throws IOException, InterruptedException {
    String sql = own("UPDATE partners SET events = x'00ff7b' WHERE reader = ? AND id = ?");
    database.write(
        session -> {
          PreparedStatement damage = session.prepare(sql);
          damage.setString(1, reader.name());
          damage.setString(2, id);
          return damage.executeUpdate();
        });
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
  public SqliteDeliveries deliveries() {
    return deliveries;
  }

  @Override
  public SqliteOutbox outbox() {
    return outbox;
  }

  @Override
  public SqliteRemoval removal() {
    return new SqliteRemoval(database, recent);
  }

  @Override
  public long rename(RiderAlias alias) throws IOException, InterruptedException {
    return new SqliteDeliveryErasure(database, recent).rename(alias);
  }

  @Override
  public SqlitePartners partners() {
    return partners;
  }

  @Override
  public void close() throws IOException {
    List<Query> declared = new ArrayList<>(tests);
    declared.addAll(SqliteDeliveries.queries());
    declared.addAll(SqliteOutbox.queries());
    declared.addAll(SqlitePartners.queries());
    declared.addAll(SqliteRemoval.queries());
    declared.addAll(SqliteDeliveryErasure.queries());
    declared.addAll(SqliteRemovalPlans.queries());
    Declared.check(database, declared);
    database.close();
    meters.close();
  }
}
