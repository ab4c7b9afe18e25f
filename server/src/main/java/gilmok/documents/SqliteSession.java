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
import org.sqlite.SQLiteConnection;

/**
 * A connection with its prepared statements. Not thread-safe: owned by the thread that has taken
 * it.
 */
public final class SqliteSession implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SqliteSession.class.getName());

  /** The value of {@code auto_vacuum} with which a file can be shortened in steps. */
  static final int SHORTENABLE = 2;

  private static final int CACHE_KIB = 16 * 1024;
  private static final int COPY_RETRY_MILLIS = 100;
  private static final int COPY_RETRIES = 50;
  private static final String CATALOG =
      "SELECT name, type, tbl_name, sql FROM sqlite_schema"
          + " WHERE type IN ('table', 'index') AND sql IS NOT NULL ORDER BY rowid";

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  /** The texts of all statements prepared so far; can be read by any thread. */
  private final Set<String> texts = ConcurrentHashMap.newKeySet();

  private long rollbacks;

  /**
   * A table or an index.
   *
   * @param table the table of an index; a table's own name
   * @param sql the text that created it
   */
  record Item(String name, boolean isIndex, String table, String sql) {}

  private SqliteSession(Connection connection) {
    this.connection = connection;
  }

  /** Opens the connection that writes; creates the file if necessary. */
  static SqliteSession toWrite(Path file, Duration patience) throws IOException {
    SQLiteConfig config = config(patience);
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    return open(file, config);
  }

  /**
   * Makes an empty file one that can be shortened in steps ({@code SqliteSpace}). That is possible
   * only before the first page is written, which the change to a write-ahead log does.
   */
  static void makeShortenable(Path file) throws IOException {
    try (SqliteSession empty = open(file, new SQLiteConfig())) {
      empty.run("PRAGMA auto_vacuum=" + SHORTENABLE);
      empty.run("VACUUM"); // writes the first page
    } catch (SQLException e) {
      throw new IOException("cannot use " + file + ": " + e.getMessage(), e);
    }
  }

  /** Opens a connection that only reads. */
  static SqliteSession toRead(Path file, Duration patience) throws IOException {
    SQLiteConfig config = config(patience);
    config.setReadOnly(true);
    return open(file, config);
  }

  /** Opens an in-memory database, which is gone when the session closes. */
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
    config.setGetGeneratedKeys(false); // else the driver asks for the number of each new row
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
   * The prepared statement of this text. It is cached for ever, so pass only constants. Its
   * parameters are as last set.
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

  /** The prepared statement of this text with these parameters: texts, integers, bytes or null. */
  public PreparedStatement prepare(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepare(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** Runs a writing statement. Returns the number of rows it changed. */
  public int update(String sql, @Nullable Object... values) throws SQLException {
    return prepare(sql, values).executeUpdate();
  }

  /** Converts all rows of a query. */
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

  /** Converts the first row of a query; null when there is none. */
  public <T> @Nullable T first(SqliteRow<T> row, String sql, @Nullable Object... values)
      throws SQLException {
    try (ResultSet rows = prepare(sql, values).executeQuery()) {
      return rows.next() ? row.of(rows) : null;
    }
  }

  /** Prepares these statements, but for tables that are made with their first row. */
  int prepareAll(Set<String> texts) throws SQLException {
    int prepared = 0;
    for (String text : texts) {
      try {
        prepare(text);
        prepared++;
      } catch (SQLException failed) {
        if (!String.valueOf(failed.getMessage()).contains("no such table")) {
          throw failed;
        }
      }
    }
    return prepared;
  }

  /**
   * Turns off the driver's own transactions: by default it begins and commits one with each
   * statement.
   */
  void ownTransactions() throws SQLException {
    connection.setAutoCommit(false);
    run("COMMIT"); // ends the transaction that the driver has just begun
  }

  /**
   * Begins a transaction; nothing is durable before {@link #commit}. It is an IMMEDIATE one: a
   * transaction that reads first and then writes is refused, without waiting, while a reader holds
   * the lock; a reader does so briefly when it finds the log's index half-written.
   */
  void begin() throws SQLException {
    prepare("BEGIN IMMEDIATE").execute();
  }

  void commit() throws SQLException {
    prepare("COMMIT").execute();
  }

  /** Writes a page without changing data. */
  void touch() throws SQLException {
    run("PRAGMA user_version=" + number("PRAGMA user_version"));
  }

  /**
   * How many writes on this connection were rolled back. What a caller remembers of its own writes
   * is right only while this number, and the connection, stay the same.
   */
  public long rollbacks() {
    return rollbacks;
  }

  /** Rolls back to the savepoint. Statements that a failed write has used are prepared again. */
  void rollBackTo(String savepoint) throws SQLException {
    rollbacks++;
    closeStatements();
    prepare("ROLLBACK TO " + savepoint).execute();
  }

  /** Closes all statements and their result sets; they are prepared again when needed. */
  void closeStatements() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
  }

  /** Runs a statement without parameters that is not worth caching. */
  public void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /**
   * Runs a statement that does its work row by row and has no columns: each row but the first would
   * be left undone.
   */
  void runToItsEnd(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** The single number that a query returns. */
  int number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }

  /**
   * The first structural damage in the file, by SQLite's integrity check; null when there is none.
   */
  @Nullable String damage() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA integrity_check(1)")) {
      String first = rows.next() ? rows.getString(1) : "it cannot be looked at";
      return first.equals("ok") ? null : first;
    }
  }

  /** The texts of all statements prepared so far. Thread-safe. */
  Set<String> prepared() {
    return Set.copyOf(texts);
  }

  /** The tables and indexes that a statement has created, by name. */
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

  /** The query plan of a statement, step by step in SQLite's words. */
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

  /** Runs a checkpoint, or with {@link SqliteWal.Mode#NOOP} only reads the log's state. */
  SqliteWal checkpoint(SqliteWal.Mode mode) throws SQLException {
    try (ResultSet row = prepare("PRAGMA wal_checkpoint(" + mode + ")").executeQuery()) {
      row.next();
      return new SqliteWal(row.getInt(2), row.getInt(3));
    }
  }

  /**
   * Copies the whole file, as the last commit has left it, into another one; whoever writes goes on
   * meanwhile. Blocks in native code.
   *
   * <p>SQLite's <a href="https://www.sqlite.org/backup.html">online backup</a> begins again when
   * somebody writes between two of its steps, unless its connection holds a read transaction: then
   * all steps see one commit.
   *
   * @param target an empty file
   */
  void copy(Path target, SqliteCopy.Steps steps) throws SQLException {
    run("BEGIN");
    try {
      int _ = number("SELECT count(*) FROM sqlite_schema"); // from here on it sees one commit
      steps.begins();
      int code =
          connection
              .unwrap(SQLiteConnection.class)
              .getDatabase()
              .backup(
                  "main",
                  target.toAbsolutePath().toString(),
                  steps::copied,
                  COPY_RETRY_MILLIS,
                  COPY_RETRIES,
                  SqliteCopy.STEP_PAGES);
      if (code != 0) {
        throw new SQLException("SQLite answers " + code, "", code);
      }
    } finally {
      run("COMMIT");
    }
  }

  /** Sets how long statements wait for another connection's lock. */
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
