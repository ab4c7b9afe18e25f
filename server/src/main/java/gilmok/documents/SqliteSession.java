package gilmok.documents;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;

/** A connection with the statements it has prepared. Not thread-safe: used by whoever has it. */
public final class SqliteSession implements AutoCloseable {
  private static final int CACHE_KIB = 16 * 1024;
  private static final int LOCK_MILLIS = 60_000;

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

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
    }
    return statement;
  }

  /**
   * From here on transactions begin and end only as they are told to: by itself the driver tries to
   * begin and commit one with each statement. And a lock that another program holds is waited for
   * longer than anybody who writes waits: like a slow disk, it fails nobody and costs nothing.
   */
  void ownTransactions() throws SQLException {
    connection.setAutoCommit(false);
    run("COMMIT"); // the one that the driver has begun just now
    run("PRAGMA busy_timeout=" + LOCK_MILLIS);
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

  void rollback() throws SQLException {
    prepare("ROLLBACK").execute();
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

  /** Moves pages from the log of writes into the file, or only says how it stands. */
  SqliteWal checkpoint(SqliteWal.Mode mode) throws SQLException {
    try (ResultSet row = prepare(mode.sql).executeQuery()) {
      row.next();
      return new SqliteWal(row.getInt(2), row.getInt(3));
    }
  }

  /** How long a statement waits for another connection's lock from now on. */
  void patience(Duration patience) throws SQLException {
    run("PRAGMA busy_timeout=" + patience.toMillis());
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    statements.clear();
    connection.close();
  }
}
