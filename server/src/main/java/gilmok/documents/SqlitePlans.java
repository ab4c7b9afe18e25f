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
 * How SQLite would answer queries over the documents of a data folder. It only reads, also beside a
 * running server. Not thread-safe.
 */
public final class SqlitePlans implements AutoCloseable {
  /**
   * Reads a table, or one of its indexes, from end to end; or makes an index to do without. Not a
   * list that came with the question, which {@code json_each} shows as if it were a table.
   */
  private static final Pattern SCAN =
      Pattern.compile(
          "SCAN (?!CONSTANT ROW|\\d+ CONSTANT ROW|\\(|json_each VIRTUAL TABLE).*"
              + "|.* AUTOMATIC .*INDEX .*");

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Path file;
  private final SqliteSession session;

  /**
   * A query and how it would be answered.
   *
   * @param steps SQLite's own words; empty when it looks for nothing
   * @param verdict what is to be thought of it
   */
  public record Plan(Query query, List<String> steps, Verdict verdict) {
    public Plan {
      steps = List.copyOf(steps);
    }
  }

  /** What is to be thought of a plan. */
  public enum Verdict {
    /** It finds what it needs by an index, or looks for nothing. */
    GOOD,
    /** It reads a whole table, as it is meant to. */
    READS_ALL,
    /** It reads a whole table, and should not. */
    SCANS,
    /** SQLite does not take it: something that it names is not there. */
    FAILS;

    /** Whether the query cannot stay as it is. */
    public boolean isBad() {
      return this == SCANS || this == FAILS;
    }
  }

  /**
   * Opens the documents of a data folder to read.
   *
   * @throws IOException when they are not there or cannot be read
   */
  public SqlitePlans(Path folder) throws IOException {
    file = folder.resolve(SqliteDatabase.FILE);
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + " is not there: a server makes it at its first start");
    }
    session = SqliteSession.toRead(file, PATIENCE);
  }

  /** What the file lacks, or has otherwise than this version needs it; a line each. */
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

  /** How it would answer that query. */
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
