package gilmok.documents;

import gilmok.observe.Meters;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code documents.db}: one thread writes, several connections read, see {@link
 * gilmok.documents}. It belongs to one process. Thread-safe.
 */
public final class SqliteDatabase implements AutoCloseable {
  /** Its name in the data folder. */
  public static final String FILE = "documents.db";

  /** The name of SQLite's log of writes beside it. */
  public static final String LOG_FILE = FILE + "-wal";

  /** That a file has no tables yet. */
  public static final String EMPTY = "it has no tables";

  private static final System.Logger LOG = System.getLogger(SqliteDatabase.class.getName());

  /** To look at all of this takes a few ten milliseconds of a start. */
  private static final long LOOKED_AT_BYTES_MAX = 16 << 20;

  private static final Duration LOOKS_PATIENCE = Duration.ofSeconds(5);

  private final SqliteConfig config;
  private final SqliteSource source;
  private final SqliteWriter writer;
  private final SqliteReaders readers;
  private final SqliteCheckpoints checkpoints;

  private SqliteDatabase(
      SqliteSource source, SqliteSession session, SqliteConfig config, Meters meters)
      throws IOException {
    this.config = config;
    this.source = source;
    readers = new SqliteReaders(source, config, meters);
    writer = new SqliteWriter(source, session, config, meters);
    checkpoints = new SqliteCheckpoints(source, writer, meters);
    checkpoints.start();
    writer.start();
  }

  /**
   * Opens the documents of a data folder; made, and brought to this version's tables, where needed.
   *
   * @throws IOException when the file cannot be used, lacks a table or an index, or a newer version
   *     has written it
   */
  public static SqliteDatabase open(Path folder, SqliteConfig config, Meters meters)
      throws IOException {
    return open(folder, config, meters, SqliteSchema.MIGRATIONS, SqliteSource.Folder.open(folder));
  }

  static SqliteDatabase open(
      Path folder,
      SqliteConfig config,
      Meters meters,
      List<List<String>> migrations,
      SqliteSource.Folder names)
      throws IOException {
    SqliteSource source = new SqliteSource(folder.resolve(FILE), config.timeout(), names);
    try {
      return open(source, config, meters, migrations);
    } catch (IOException | RuntimeException | Error failed) {
      names.close();
      throw failed;
    }
  }

  private static SqliteDatabase open(
      SqliteSource source, SqliteConfig config, Meters meters, List<List<String>> migrations)
      throws IOException {
    Path file = source.file();
    create(file);
    SqliteSession session = SqliteSession.toWrite(file, source.writersPatience());
    try {
      session.run("PRAGMA wal_autocheckpoint=0");
      session.run("BEGIN IMMEDIATE");
      SqliteWalFile.writeAgain(file);
      session.run("ROLLBACK");
      migrate(file, session, migrations);
      check(file, session, migrations);
      session.ownTransactions();
      return new SqliteDatabase(source, session, config, meters);
    } catch (SQLException e) {
      session.closeQuietly();
      throw new IOException("cannot use " + file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      session.closeQuietly();
      throw e;
    }
  }

  /**
   * What is lost of SQLite's log of writes in a data folder whose server was killed; null when
   * nothing is. To be asked before anything opens the file: SQLite begins its index anew.
   */
  public static @Nullable String logDamage(Path folder) throws IOException {
    return SqliteWalFile.damage(folder.resolve(FILE));
  }

  /**
   * What is wrong with the documents of a data folder that nobody has opened, and that has some;
   * null when nothing is seen, {@link #EMPTY} when there are none. It only reads. The structure is
   * looked at as a whole where the file is small.
   */
  public static @Nullable String damage(Path folder) {
    Path file = folder.resolve(FILE);
    try (SqliteSession session = SqliteSession.toRead(file, LOOKS_PATIENCE)) {
      if (session.number("PRAGMA user_version") == 0) {
        return EMPTY;
      }
      return Files.size(file) > LOOKED_AT_BYTES_MAX ? null : session.damage();
    } catch (SQLException | IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Writes; durable on return. The work runs on the writer's thread, in an atomic step of its own.
   *
   * @throws IOException when it was not written, or ({@link DocumentsBusy#TOO_SLOW}) nobody knows
   */
  public <T> T write(SqliteWork<T> work) throws IOException, InterruptedException {
    return Objects.requireNonNull(writer.write(work), "a write has to answer something");
  }

  /**
   * Reads what was last committed, on the caller's thread.
   *
   * @throws IOException when it cannot be read, or no connection was free in time
   */
  public <T> T read(SqliteWork<T> work) throws IOException, InterruptedException {
    return readers.read(work);
  }

  /** Writes by one statement, with those parameters; says how many rows that has changed. */
  public int update(String sql, @Nullable Object... values)
      throws IOException, InterruptedException {
    return write(session -> session.update(sql, values));
  }

  /** Reads all rows of one statement's answer. */
  public <T> List<T> list(SqliteRow<T> row, String sql, @Nullable Object... values)
      throws IOException, InterruptedException {
    return read(session -> session.list(row, sql, values));
  }

  /** Reads the first row of one statement's answer; null when there is none. */
  public <T> @Nullable T first(SqliteRow<T> row, String sql, @Nullable Object... values)
      throws IOException, InterruptedException {
    return read(session -> Optional.ofNullable(session.first(row, sql, values))).orElse(null);
  }

  /**
   * Prepares on each connection what the other one has prepared, so that no first read or write
   * here waits for that.
   *
   * @param other which was asked before for what this one will be asked for
   */
  public void prepareAs(SqliteDatabase other) throws IOException, InterruptedException {
    readers.prepare(other.readers.prepared());
    write(writes -> writes.prepareAll(other.writer.prepared()));
  }

  /**
   * Why nothing can be written, for the operator; null while writing works. It is as the last write
   * has left it; after a failure it is tried again by itself, once a second at least.
   */
  public @Nullable String fault() {
    return writer.fault();
  }

  /** The queries that were prepared so far, by whoever has written or read. */
  Set<String> prepared() {
    Set<String> texts = new TreeSet<>(readers.prepared());
    texts.addAll(writer.prepared());
    texts.removeIf(text -> !Query.isQuery(text));
    return texts;
  }

  /** Writes what waits, then closes; what comes later is refused. */
  @Override
  public void close() throws IOException {
    try {
      boolean hasEnded = writer.close(source.writersPatience());
      checkpoints.close(config.timeout());
      readers.close(config.timeout().toNanos());
      if (!hasEnded) {
        throw new IOException("the documents were not closed in order: a write does not end");
      }
      writer.release(); // the last one: it moves the log of writes into the file
      source.folder().close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the documents were not closed in order", e);
    } catch (SQLException e) {
      throw new IOException("cannot close the documents: " + e.getMessage(), e);
    }
  }

  /** Made by us, as SQLite would let others read it; partners' secrets are in it. */
  private static void create(Path file) throws IOException {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException there) {
      LOG.log(Level.DEBUG, "{0} is open", file);
    }
  }

  private static void migrate(Path file, SqliteSession session, List<List<String>> migrations)
      throws SQLException, IOException {
    int version = session.number("PRAGMA user_version");
    if (version > migrations.size()) {
      throw new IOException(
          "%s was written by a newer Gilmok (its version is %d, this one knows %d)"
                  .formatted(file, version, migrations.size())
              + ": start that one, or use another data folder");
    }
    for (int next = version; next < migrations.size(); next++) {
      session.run("BEGIN IMMEDIATE");
      for (String statement : migrations.get(next)) {
        session.run(statement);
      }
      session.run("PRAGMA user_version=" + (next + 1));
      session.run("COMMIT");
      LOG.log(Level.DEBUG, "{0}: brought to version {1}", file, next + 1);
    }
  }

  /** What is lacking would be missed late, by a query that reads a whole table. */
  private static void check(Path file, SqliteSession session, List<List<String>> migrations)
      throws SQLException, IOException {
    List<String> faults = SqliteCatalog.faults(file, session, migrations);
    if (!faults.isEmpty()) {
      throw new IOException(String.join("; ", faults));
    }
  }
}
