package gilmok.documents;

import gilmok.background.WakeSignal;
import gilmok.observe.Meters;
import gilmok.storage.NewerFormatException;
import gilmok.storage.OwnerOnly;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The database file {@code documents.db}: one thread writes, several connections read; see {@link
 * gilmok.documents}. One process owns it. Thread-safe; reads and writes block.
 */
public final class SqliteDatabase implements AutoCloseable {
  /** Its name in the data folder. */
  public static final String FILE = "documents.db";

  /** The name of its write-ahead log beside it. */
  public static final String LOG_FILE = FILE + "-wal";

  /** The fault of a file that has no tables yet. */
  public static final String EMPTY = "it has no tables";

  private static final System.Logger LOG = System.getLogger(SqliteDatabase.class.getName());

  /**
   * A file up to this size is checked as a whole; that adds some tens of milliseconds to a start.
   */
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
   * Opens the documents of a data folder. Creates the file, or migrates it to this version, if
   * necessary.
   *
   * @throws IOException when the file cannot be used, lacks a table or an index, or was written by
   *     a newer version
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
    return open(folder, config, meters, migrations, names, SqliteWalBounds.DEFAULTS);
  }

  static SqliteDatabase open(
      Path folder,
      SqliteConfig config,
      Meters meters,
      List<List<String>> migrations,
      SqliteSource.Folder names,
      SqliteWalBounds bounds)
      throws IOException {
    SqliteSource source = new SqliteSource(folder.resolve(FILE), config.timeout(), names, bounds);
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
      source.limitLog(session);
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
   * The damage to SQLite's write-ahead log after its server was killed; null when there is none.
   * Must be called before the file is opened, as SQLite then resets the log's index.
   */
  public static @Nullable String logDamage(Path folder) throws IOException {
    return SqliteWalFile.damage(folder.resolve(FILE));
  }

  /**
   * The damage to the documents of a data folder that no process has open; null when none is found,
   * {@link #EMPTY} when there are no tables. The folder must have the file. Reads only. Only small
   * files are checked as a whole.
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
   * Runs a write in an atomic step of its own, on the writer's thread. Durable on return.
   *
   * @throws IOException when nothing was written; with {@link DocumentsBusy#TOO_SLOW} the outcome
   *     is unknown
   */
  public <T> T write(SqliteWork<T> work) throws IOException, InterruptedException {
    return Objects.requireNonNull(writer.write(work), "a write has to answer something");
  }

  /**
   * Runs a read of the last commit, on the caller's thread.
   *
   * @throws IOException when reading fails, or no connection was free in time
   */
  public <T> T read(SqliteWork<T> work) throws IOException, InterruptedException {
    return readers.read(work);
  }

  /**
   * Runs one writing statement with parameters. Returns the number of rows it changed. Durable on
   * return.
   */
  public int update(String sql, @Nullable Object... values)
      throws IOException, InterruptedException {
    return write(session -> session.update(sql, values));
  }

  /** Reads all rows of one statement. */
  public <T> List<T> list(SqliteRow<T> row, String sql, @Nullable Object... values)
      throws IOException, InterruptedException {
    return read(session -> session.list(row, sql, values));
  }

  /** Reads the first row of one statement; null when there is none. */
  public <T> @Nullable T first(SqliteRow<T> row, String sql, @Nullable Object... values)
      throws IOException, InterruptedException {
    return read(session -> Optional.ofNullable(session.first(row, sql, values))).orElse(null);
  }

  /**
   * Copies the documents into a new file, all as one commit has left them. Reads and writes go on.
   * Meanwhile SQLite's write-ahead log grows by what is written; once it is large, the copy goes on
   * as fast as it can. Blocks, in native code for most of the time: call it on a platform thread.
   *
   * @param watch is told when the commit that is copied is settled, and how far the copy is
   * @param bytesPerSecond at most
   */
  public void copyTo(Path target, SqliteCopy.Watch watch, long bytesPerSecond) throws IOException {
    checkpoints.hold();
    try (SqliteSession session = source.reader();
        SqliteCopy.Steps steps =
            new SqliteCopy.Steps(target, watch, bytesPerSecond, checkpoints::isBehind)) {
      session.copy(target, steps);
      steps.end();
    } catch (SQLException e) {
      throw new IOException("the documents cannot be copied: " + e.getMessage(), e);
    } finally {
      checkpoints.release();
    }
  }

  /**
   * Writes the file anew and empties its write-ahead log, so that nothing of what was removed or
   * changed before is left in either; unless it is too large for writes to wait so long. Blocks.
   *
   * @param bytesMax how large it may be
   * @return whether it was done
   * @throws IOException when it could not be done, as for want of room; all is as it was
   */
  public boolean rewrite(long bytesMax) throws IOException, InterruptedException {
    if (bytes() > bytesMax) {
      return false;
    }
    writer.rewrite();
    return true;
  }

  /**
   * Whether SQLite's write-ahead log has grown so large that what can wait should not write now.
   */
  public boolean isBehind() {
    return checkpoints.isBehind();
  }

  /** Bytes of the file and its write-ahead log. */
  public long bytes() throws IOException {
    Path log = source.file().resolveSibling(LOG_FILE);
    return Files.size(source.file()) + (Files.exists(log) ? Files.size(log) : 0);
  }

  /**
   * Prepares on each connection the statements that another database has prepared, so that the
   * first reads and writes need not wait for that.
   *
   * @param other a database that has served the same statements
   */
  public void prepareAs(SqliteDatabase other) throws IOException, InterruptedException {
    readers.prepare(other.readers.prepared());
    write(writes -> writes.prepareAll(other.writer.prepared()));
  }

  /**
   * Why nothing can be written, in words for the operator; null while writing works. The result is
   * that of the last write; after a failure writing is tried at least once a second.
   */
  public @Nullable String fault() {
    return writer.fault();
  }

  /** From now on, fires a signal after each commit. It must cost next to nothing. */
  public void onCommit(WakeSignal signal) {
    writer.committed().add(signal);
  }

  /** The statements prepared so far, for reads and writes. */
  Set<String> prepared() {
    Set<String> texts = new TreeSet<>(readers.prepared());
    texts.addAll(writer.prepared());
    texts.removeIf(text -> !Query.isQuery(text));
    return texts;
  }

  /** Finishes the waiting writes, then closes. Later calls are refused. */
  @Override
  public void close() throws IOException {
    try {
      boolean hasEnded = writer.close(source.writersPatience());
      checkpoints.close(config.timeout());
      readers.close(config.timeout().toNanos());
      if (!hasEnded) {
        throw new IOException("the documents were not closed in order: a write does not end");
      }
      writer.release(); // the last connection: SQLite checkpoints the log when it closes
      source.folder().close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the documents were not closed in order", e);
    } catch (SQLException e) {
      throw new IOException("cannot close the documents: " + e.getMessage(), e);
    }
  }

  /**
   * Creates the file before SQLite does, as SQLite would make it readable by others; it holds
   * partners' secrets.
   */
  private static void create(Path file) throws IOException {
    try {
      Files.createFile(file, OwnerOnly.FILE);
    } catch (FileAlreadyExistsException there) {
      LOG.log(Level.DEBUG, "{0} is open", file);
    }
    if (Files.size(file) == 0) {
      SqliteSession.makeShortenable(file);
    }
  }

  private static void migrate(Path file, SqliteSession session, List<List<String>> migrations)
      throws SQLException, IOException {
    int version = session.number("PRAGMA user_version");
    if (version > migrations.size()) {
      throw new NewerFormatException(file, version, migrations.size());
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
    for (String addition : SqliteSchema.ADDITIONS) {
      session.run(addition);
    }
  }

  /**
   * Fails if tables or indexes are missing. Without the check, a query would silently scan a table.
   */
  private static void check(Path file, SqliteSession session, List<List<String>> migrations)
      throws SQLException, IOException {
    List<String> faults = SqliteCatalog.faults(file, session, migrations);
    if (!faults.isEmpty()) {
      throw new IOException(String.join("; ", faults));
    }
  }
}
