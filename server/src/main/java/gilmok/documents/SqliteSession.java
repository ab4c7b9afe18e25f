package gilmok.documents;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;

/** A connection with the statements it has prepared. Not thread-safe: used by whoever has it. */
public final class SqliteSession implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SqliteSession.class.getName());
  private static final int CACHE_KIB = 16 * 1024;
  private static final String CATALOG =
      "SELECT name, type, tbl_name, sql FROM sqlite_schema"
          + " WHERE type IN ('table', 'index') AND sql IS NOT NULL ORDER BY rowid";

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  /** The texts of all statements that it has ever prepared; read by any thread. */
  private final Set<String> texts = ConcurrentHashMap.newKeySet();

  /**
   * A table or an index.
   *
   * @param table whose index it is; its own name when it is a table
   */
  record Item(String name, boolean isIndex, String table, String sql) {}

  private SqliteSession(Connection connection) {
    this.connection = connection;
  }

  /** The connection that writes; the file is made if it is not there. */
  static SqliteSession toWrite(Path file, Duration patience) throws IOException {
    SQLiteConfig config = config(patience);
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    return open(file, config);
  }

  /** A connection that only reads. */
  static SqliteSession toRead(Path file, Duration patience) throws IOException {
    SQLiteConfig config = config(patience);
    config.setReadOnly(true);
    return open(file, config);
  }

  /** A database of its own, that goes with it. */
  static SqliteSession inMemory() throws IOException {
    try {
      return new SqliteSession(
          JDBC.createConnection(JDBC.PREFIX + ":memory:", new SQLiteConfig().toProperties()));
    } catch (SQLException e) {
      throw new IOException("SQLite does not start: " + e.getMessage(), e);
    }
  }

  private static SQLiteConfig config(Duration patience) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(Math.toIntExact(patience.toMillis()));
    config.setTempStore(SQLiteConfig.TempStore.MEMORY);
    config.setCacheSize(-CACHE_KIB);
    config.enforceForeignKeys(true);
    return config;
  }

  private static SqliteSession open(Path file, SQLiteConfig config) throws IOException {
    try {
      return new SqliteSession(
          JDBC.createConnection(JDBC.PREFIX + file.toAbsolutePath(), config.toProperties()));
    } catch (SQLException e) {
      throw new IOException("cannot open " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The statement for this text, prepared once for each connection: pass constants. Its parameters
   * stand as they were last set.
   */
  public PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
      texts.add(sql);
    }
    return statement;
  }

  /** The statement of that text with its parameters: texts, whole numbers, bytes or null. */
  public PreparedStatement prepare(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepare(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** Writes, and says how many rows that has changed. */
  public int update(String sql, @Nullable Object... values) throws SQLException {
    return prepare(sql, values).executeUpdate();
  }

  /** What is made of each row. */
  public <T> List<T> list(SqliteRow<T> row, String sql, @Nullable Object... values)
      throws SQLException {
    List<T> all = new ArrayList<>();
    try (ResultSet rows = prepare(sql, values).executeQuery()) {
      while (rows.next()) {
        all.add(row.of(rows));
      }
    }
    return all;
  }

  /** What is made of the first row; null when there is none. */
  public <T> @Nullable T first(SqliteRow<T> row, String sql, @Nullable Object... values)
      throws SQLException {
    try (ResultSet rows = prepare(sql, values).executeQuery()) {
      return rows.next() ? row.of(rows) : null;
    }
  }

  /** Prepares all of these; how many they are. */
  int prepareAll(Set<String> texts) throws SQLException {
    for (String text : texts) {
      prepare(text);
    }
    return texts.size();
  }

  /**
   * From here on transactions begin and end only as they are told to: by itself the driver tries to
   * begin and commit one with each statement.
   */
  void ownTransactions() throws SQLException {
    connection.setAutoCommit(false);
    run("COMMIT"); // the one that the driver has begun just now
  }

  /**
   * From here on nothing is durable before {@link #commit}. Immediate: what begins with reading and
   * then writes is refused, without waiting, when a reader holds the lock for a moment, which it
   * does when it meets the index of SQLite's log half-written.
   */
  void begin() throws SQLException {
    prepare("BEGIN IMMEDIATE").execute();
  }

  void commit() throws SQLException {
    prepare("COMMIT").execute();
  }

  /** Writes a page, and changes nothing. */
  void touch() throws SQLException {
    run("PRAGMA user_version=" + number("PRAGMA user_version"));
  }

  /** Closes every statement, and what it reads; they are prepared anew when they are needed. */
  void closeStatements() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
  }

  /** Statements without parameters, run once. */
  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The one number that a statement answers. */
  int number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }

  /** The first fault of the structure of the whole file; null when it has none. */
  @Nullable String damage() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA integrity_check(1)")) {
      String first = rows.next() ? rows.getString(1) : "it cannot be looked at";
      return first.equals("ok") ? null : first;
    }
  }

  /** The texts of the statements that it has prepared so far. From any thread. */
  Set<String> prepared() {
    return Set.copyOf(texts);
  }

  /** The tables and indexes that were made by a statement, by name. */
  Map<String, Item> catalog() throws SQLException {
    Map<String, Item> items = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(CATALOG)) {
      while (rows.next()) {
        String name = rows.getString(1);
        boolean isIndex = rows.getString(2).equals("index");
        items.put(name, new Item(name, isIndex, rows.getString(3), rows.getString(4)));
      }
    }
    return items;
  }

  /** How SQLite would answer a statement, step by step, in its own words. */
  List<String> plan(String sql) throws SQLException {
    List<String> steps = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
      while (rows.next()) {
        steps.add(rows.getString("detail"));
      }
    }
    return steps;
  }

  /** Moves pages from the log of writes into the file, or only says how it stands. */
  SqliteWal checkpoint(SqliteWal.Mode mode) throws SQLException {
    try (ResultSet row = prepare("PRAGMA wal_checkpoint(" + mode + ")").executeQuery()) {
      row.next();
      return new SqliteWal(row.getInt(2), row.getInt(3));
    }
  }

  /** How long a statement waits for another connection's lock from now on. */
  void patience(Duration patience) throws SQLException {
    run("PRAGMA busy_timeout=" + patience.toMillis());
  }

  void closeQuietly() {
    try {
      close();
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "not closed", e);
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      closeStatements();
    } finally {
      connection.close();
    }
  }
}
