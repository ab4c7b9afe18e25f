package gilmok.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Explains queries over the documents of a data folder. Reads only, also beside a running server.
 * Not thread-safe.
 */
public final class SqlitePlans implements AutoCloseable {
  /**
   * Matches steps that scan a table or index, or build a temporary index to avoid that. Does not
   * match a list passed as a parameter, which {@code json_each} shows as a table.
   */
  private static final Pattern SCAN =
      Pattern.compile(
          "SCAN (?!CONSTANT ROW|\\d+ CONSTANT ROW|\\(|json_each VIRTUAL TABLE).*"
              + "|.* AUTOMATIC .*INDEX .*");

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Path file;
  private final SqliteSession session;

  /**
   * A query and its plan. Immutable.
   *
   * @param steps SQLite's own words; empty when it reads nothing
   * @param verdict the judgement of the plan
   */
  public record Plan(Query query, List<String> steps, Verdict verdict) {
    public Plan {
      steps = List.copyOf(steps);
    }
  }

  /** The judgement of a plan. */
  public enum Verdict {
    /** Uses an index, or reads nothing. */
    GOOD,
    /** Scans a whole table, as it is meant to. */
    READS_ALL,
    /** Scans a whole table, but should not. */
    SCANS,
    /** SQLite rejects the query: a table or column is missing. */
    FAILS;

    /** Whether something must be changed. */
    public boolean isBad() {
      return this == SCANS || this == FAILS;
    }
  }

  /**
   * Opens the documents of a data folder for reading.
   *
   * @throws IOException when they do not exist or cannot be read
   */
  public SqlitePlans(Path folder) throws IOException {
    file = folder.resolve(SqliteDatabase.FILE);
    boolean isHidden = Files.isDirectory(folder) && !Files.isExecutable(folder);
    if (isHidden || (Files.exists(file) && !Files.isReadable(file))) {
      throw new IOException(file + " may not be read by this user: be the one that the server is");
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException(
          file
              + " is not there: a server makes it at its first start. If one has run, name its"
              + " folder: --data");
    }
    session = SqliteSession.toRead(file, PATIENCE);
  }

  /** The differences from the schema of this version, a line each; empty when there are none. */
  public List<String> faults() throws IOException {
    try {
      int version = session.number("PRAGMA user_version");
      int known = SqliteSchema.MIGRATIONS.size();
      if (version < known) {
        return List.of(
            "%s was written by an older Gilmok (its version is %d, this one's %d): start a server"
                    .formatted(file, version, known)
                + " of this version on it first");
      }
      return SqliteCatalog.faults(file, session, SqliteSchema.MIGRATIONS);
    } catch (SQLException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Whether there is a table of that name; for one that is made only when it is needed. */
  public boolean has(String table) throws IOException {
    try {
      return session.catalog().containsKey(table);
    } catch (SQLException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Explains a query. */
  public Plan explain(Query query) {
    List<String> steps = new ArrayList<>();
    try {
      steps.addAll(session.plan(query.sql()));
    } catch (SQLException e) {
      return new Plan(query, List.of(String.valueOf(e.getMessage())), Verdict.FAILS);
    }
    boolean scans = steps.stream().anyMatch(step -> SCAN.matcher(step).matches());
    Verdict verdict = !scans ? Verdict.GOOD : query.mayScan() ? Verdict.READS_ALL : Verdict.SCANS;
    return new Plan(query, steps, verdict);
  }

  @Override
  public void close() throws IOException {
    try {
      session.close();
    } catch (SQLException e) {
      throw new IOException("cannot close " + file + ": " + e.getMessage(), e);
    }
  }
}
