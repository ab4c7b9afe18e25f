package gilmok.lab.story.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import org.sqlite.JDBC;

/**
 * Numbered documents in SQLite, in a table without row ids, as this server's are: so they lie in
 * the order of their ids. Its cache is far smaller than the file. Not thread-safe.
 */
final class SqliteIds implements IdsEngine {
  /** The rest of a document. */
  static final String TEXT = "{\"text\":\"" + "x".repeat(190) + "\"}";

  private static final int CACHE_KIB = 512;
  private static final Path READ = Path.of("/proc/thread-self/io");
  private static final String RCHAR = "rchar: ";
  private static final String WHOLE =
      "SELECT id, json FROM documents WHERE id IN (SELECT value FROM json_each(?))";
  private static final String FIELDS =
      "SELECT id, amount FROM documents INDEXED BY amounts"
          + " WHERE id IN (SELECT value FROM json_each(?))";
  private static final String RANGE = "SELECT id, json FROM documents WHERE id BETWEEN ? AND ?";

  private final Connection connection;

  private SqliteIds(Connection connection) {
    this.connection = connection;
  }

  /**
   * Makes a database with that many documents.
   *
   * @param file that does not exist yet
   */
  static SqliteIds with(int count, Path file) throws IOException {
    try {
      SqliteIds ids = new SqliteIds(JDBC.createConnection(JDBC.PREFIX + file, new Properties()));
      ids.fill(count);
      return ids;
    } catch (SQLException failed) {
      throw new IOException("not made: " + file, failed);
    }
  }

  private void fill(int count) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA synchronous=OFF"); // it is deleted afterwards
      statement.execute("PRAGMA cache_size=-" + CACHE_KIB);
      statement.execute(
          "CREATE TABLE documents (id TEXT PRIMARY KEY, amount INTEGER NOT NULL,"
              + " json TEXT NOT NULL) WITHOUT ROWID");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO documents VALUES (?, ?, ?)")) {
      for (int number = 0; number < count; number++) {
        insert.setString(1, id(number));
        insert.setInt(2, number % 977);
        insert.setString(3, TEXT);
        insert.executeUpdate();
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE INDEX amounts ON documents (id, amount)");
    }
  }

  private static String id(int number) {
    return String.format(Locale.ROOT, "document-%07d", number);
  }

  @Override
  public String name() {
    return "SQLite";
  }

  @Override
  public int ask(IdsWay way, List<Integer> numbers) throws IOException {
    String sql =
        switch (way) {
          case SCATTERED, NEIGHBOURS -> WHOLE;
          case FIELDS -> FIELDS;
          case RANGE -> RANGE;
        };
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      if (way == IdsWay.RANGE) {
        select.setString(1, id(numbers.getFirst()));
        select.setString(2, id(numbers.getLast()));
      } else {
        select.setString(
            1,
            numbers.stream().map(SqliteIds::id).collect(Collectors.joining("\",\"", "[\"", "\"]")));
      }
      int found = 0;
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found += rows.getString(1).isEmpty() || rows.getString(2).isEmpty() ? 0 : 1;
        }
      }
      return found;
    } catch (SQLException failed) {
      throw new IOException("not read", failed);
    }
  }

  @Override
  public long bytesRead() throws IOException {
    if (!Files.isReadable(READ)) {
      return -1;
    }
    return Files.readAllLines(READ).stream()
        .filter(line -> line.startsWith(RCHAR))
        .mapToLong(line -> Long.parseLong(line.substring(RCHAR.length())))
        .findFirst()
        .orElse(-1);
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw new IOException("not closed", failed);
    }
  }
}
