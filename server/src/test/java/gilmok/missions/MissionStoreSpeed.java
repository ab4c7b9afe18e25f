package gilmok.missions;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.missions.MissionStore.Due;
import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.bson.Document;

/**
 * Measures how fast missions are read and settled, in several ways: medians of rounds in which the
 * ways take turns. A program, not a test. Arguments: the number of rounds; then, to measure MongoDB
 * instead of SQLite, its URI. It creates a database there and drops it.
 */
final class MissionStoreSpeed {
  private static final int DUE = 1_000;
  private static final int READS = 2_000;
  private static final String RIDER = "rider-123456";
  private static final String COLUMNS =
      "SELECT mission_id, json, version, settled_at FROM mission_progress WHERE rider_id = ?";

  private MissionStoreSpeed() {}

  private interface Subject extends AutoCloseable {
    MissionStore store();

    /** Restores all 1,000 to what they were before they were settled. */
    void reset() throws Exception;

    @Override
    void close();
  }

  private interface Reading {
    int found(SqliteSession session, List<String> wanted) throws SQLException;
  }

  public static void main(String[] args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 9;
    if (args.length > 1) {
      try (Subject mongo = new InMongo(args[1])) {
        System.out.println("MongoDB at " + args[1] + ":");
        settling(mongo, rounds);
      }
      return;
    }
    Path folder = Files.createTempDirectory("missions-speed");
    try (Meters meters = new Meters();
        SqliteDatabase database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
        Subject sqlite = new InSqlite(database)) {
      reading(database, 30, rounds);
      reading(database, DUE, rounds);
      System.out.println("SQLite:");
      settling(sqlite, rounds);
    }
  }

  private static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj(i -> "mission-%03d".formatted(i)).toList();
  }

  private static String json(int i) {
    return "{\"count\":" + i + ",\"since\":\"2026-03-01T00:00:00Z\"}";
  }

  // Reading 30

  private static void reading(SqliteDatabase database, int there, int rounds) throws Exception {
    String rider = "rider-" + there;
    database.write(session -> insert(session, rider, there));
    List<String> wanted = new ArrayList<>();
    List<String> all = ids(there);
    for (int i = 0; i < 30; i++) {
      wanted.add(all.get(i * (there / 30)));
    }
    MissionStore store = new SqliteMissions(database);
    Map<String, Callable<Integer>> ways = new LinkedHashMap<>();
    ways.put("the store: ids as a list in JSON", () -> store.progress(rider, wanted).size());
    way(ways, database, "all of the rider, filtered here", wanted, all(rider));
    way(ways, database, "all of the rider, filtered by SQLite", wanted, filtered(rider));
    way(ways, database, "a statement for each id", wanted, each(rider));
    way(ways, database, "as many parameters as ids", wanted, parameters(rider, 30));
    System.out.printf("30 of %,d, processor of the asking thread:%n", there);
    Map<String, double[]> micros = new LinkedHashMap<>();
    var threads = ManagementFactory.getThreadMXBean();
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Callable<Integer>> way : ways.entrySet()) {
        long began = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < READS; i++) {
          if (way.getValue().call() != 30) {
            throw new IllegalStateException(way.getKey());
          }
        }
        micros.computeIfAbsent(way.getKey(), _ -> new double[rounds])[round] =
            (threads.getCurrentThreadCpuTime() - began) / 1e3 / READS;
      }
    }
    micros.forEach((name, each) -> System.out.printf("%8.1f us  %s%n", median(each), name));
  }

  private static void way(
      Map<String, Callable<Integer>> ways,
      SqliteDatabase database,
      String name,
      List<String> wanted,
      Reading way) {
    ways.put(name, () -> database.read(session -> way.found(session, wanted)));
  }

  private static Reading all(String rider) {
    return (session, wanted) -> {
      Set<String> some = Set.copyOf(wanted);
      List<MissionStore.Progress> found = new ArrayList<>();
      PreparedStatement select = session.prepare(COLUMNS);
      select.setString(1, rider);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          String id = rows.getString(1);
          if (some.contains(id)) {
            found.add(progress(id, rows));
          }
        }
      }
      return found.size();
    };
  }

  private static Reading filtered(String rider) {
    return (session, wanted) -> {
      PreparedStatement select =
          session.prepare(COLUMNS + " AND +mission_id IN (SELECT value FROM json_each(?))");
      select.setString(1, rider);
      select.setString(2, SqliteMissions.array(wanted));
      return count(select);
    };
  }

  private static Reading each(String rider) {
    return (session, wanted) -> {
      int found = 0;
      PreparedStatement select = session.prepare(COLUMNS + " AND mission_id = ?");
      select.setString(1, rider);
      for (String id : wanted) {
        select.setString(2, id);
        found += count(select);
      }
      return found;
    };
  }

  private static Reading parameters(String rider, int count) {
    String sql = COLUMNS + " AND mission_id IN (?" + ",?".repeat(count - 1) + ")";
    return (session, wanted) -> {
      PreparedStatement select = session.prepare(sql);
      select.setString(1, rider);
      for (int i = 0; i < count; i++) {
        select.setString(2 + i, wanted.get(i));
      }
      return count(select);
    };
  }

  private static int count(PreparedStatement select) throws SQLException {
    List<MissionStore.Progress> found = new ArrayList<>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        found.add(progress(rows.getString(1), rows));
      }
    }
    return found.size();
  }

  private static MissionStore.Progress progress(String id, ResultSet row) throws SQLException {
    return new MissionStore.Progress(id, row.getString(2), row.getLong(3), row.getLong(4));
  }

  // Settling 1,000

  private static void settling(Subject subject, int rounds) throws Exception {
    List<Due> due = ids(DUE).stream().map(id -> new Due(id, 1)).toList();
    MissionStore store = subject.store();
    Map<String, Callable<Integer>> ways = new LinkedHashMap<>();
    ways.put("one by one", () -> inPieces(store, 1, due));
    for (int piece : new int[] {25, 100, 250}) {
      ways.put("by " + piece + ", one behind the other", () -> inPieces(store, piece, due));
    }
    ways.put("all in one call", () -> store.settle(RIDER, due, 5));
    for (int piece : new int[] {25, 100, 250, DUE}) {
      ways.put("by " + piece + ", 8 writers", () -> atOnce(new Pieces(store, piece), due));
    }
    Map<String, double[]> millis = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Callable<Integer>> way : ways.entrySet()) {
        subject.reset();
        long began = System.nanoTime();
        int settled = way.getValue().call();
        millis.computeIfAbsent(way.getKey(), _ -> new double[rounds])[round] =
            (System.nanoTime() - began) / 1e6;
        if (settled != DUE) {
          throw new IllegalStateException(way.getKey() + " settled " + settled);
        }
      }
    }
    millis.forEach(
        (name, all) ->
            System.out.printf(
                "%8.1f ms, at most %.1f  %s%n",
                median(all), Arrays.stream(all).max().orElse(0), name));
  }

  private static int inPieces(MissionStore store, int piece, List<Due> due) throws Exception {
    int settled = 0;
    for (int from = 0; from < due.size(); from += piece) {
      List<Due> some = due.subList(from, Math.min(due.size(), from + piece));
      settled += store.settle(RIDER, some, 5);
    }
    return settled;
  }

  private static int atOnce(MissionStore store, List<Due> due) throws Exception {
    try (Meters meters = new Meters();
        SettlementWriter settlements =
            new SettlementWriter(
                store, SettlingConfig.DEFAULTS, meters, SettlementWriter.PATIENCE)) {
      return settlements.settle(RIDER, due, 5);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static int insert(SqliteSession session, String rider, int count) throws SQLException {
    PreparedStatement insert =
        session.prepare(
            "INSERT INTO mission_progress (rider_id, mission_id, version, json)"
                + " VALUES (?, ?, 1, ?)");
    List<String> ids = ids(count);
    for (int i = 0; i < count; i++) {
      insert.setString(1, rider);
      insert.setString(2, ids.get(i));
      insert.setString(3, json(i));
      insert.executeUpdate();
    }
    return count;
  }

  /** The store, with pieces of another size. */
  private static final class Pieces extends UnaskedStore {
    private final MissionStore store;
    private final int pieceMax;

    Pieces(MissionStore store, int pieceMax) {
      this.store = store;
      this.pieceMax = pieceMax;
    }

    @Override
    public int pieceMax() {
      return pieceMax;
    }

    @Override
    public int settle(String riderId, List<Due> due, long at)
        throws IOException, InterruptedException {
      return store.settle(riderId, due, at);
    }
  }

  private record InSqlite(SqliteDatabase database) implements Subject {
    InSqlite {
      try {
        database.write(session -> insert(session, RIDER, DUE));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public MissionStore store() {
      return new SqliteMissions(database);
    }

    @Override
    public void reset() throws Exception {
      database.write(
          session -> {
            PreparedStatement reset =
                session.prepare("UPDATE mission_progress SET settled_at = 0 WHERE rider_id = ?");
            reset.setString(1, RIDER);
            return reset.executeUpdate();
          });
    }

    @Override
    public void close() {}
  }

  private static final class InMongo implements Subject {
    private final Meters meters = new Meters();
    private final String name = "gilmok_speed_" + ProcessHandle.current().pid();
    private final MongoDocuments documents;
    private final MongoClient client;
    private final MongoCollection<Document> progress;

    InMongo(String uri) {
      Map<String, String> set =
          Map.of(
              "documents.mongo-uri", uri,
              "documents.mongo-database", name,
              "documents.mongo-timeout", "1 m");
      documents = new MongoDocuments(MongoConfig.from(new Settings(set)), meters);
      client = MongoClients.create(uri);
      progress = client.getDatabase(name).getCollection(MongoMissions.PROGRESS);
      List<Document> all = new ArrayList<>();
      List<String> ids = ids(DUE);
      for (int i = 0; i < DUE; i++) {
        all.add(
            new Document("_id", MongoProgressCodec.id(RIDER, ids.get(i)))
                .append("json", json(i))
                .append("version", 1L)
                .append("settledAt", 0L));
      }
      progress.insertMany(all);
    }

    @Override
    public MissionStore store() {
      return new MongoMissions(documents);
    }

    @Override
    public void reset() {
      progress.updateMany(new Document(), new Document("$set", new Document("settledAt", 0L)));
    }

    @Override
    public void close() {
      client.getDatabase(name).drop();
      client.close();
      documents.close();
      meters.close();
    }
  }
}
