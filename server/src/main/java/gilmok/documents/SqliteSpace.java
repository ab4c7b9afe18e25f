package gilmok.documents;

import java.sql.SQLException;

/**
 * The room in the file that deleted rows have left. New rows take it first. What is more than a
 * fleet's next days need is given back to the file system in small steps, by SQLite's incremental
 * vacuum: it moves pages from the file's end into free ones. Only a file that was made so can do
 * it; an older one is rewritten once, by {@code gilmok compact}. Stateless.
 *
 * <p>Source: <a href="https://www.sqlite.org/pragma.html#pragma_auto_vacuum">auto_vacuum</a>.
 */
public final class SqliteSpace {
  /** Free pages that are kept for new rows: 4 MiB, or a part of the file if that is more. */
  static final int KEPT_PAGES = 1_024;

  private static final int KEPT_PART = 20;

  /** Pages that one step moves, about as many as a step of removing writes. */
  static final int STEP_PAGES = 32;

  private static final String STEP = "PRAGMA incremental_vacuum(" + STEP_PAGES + ")";

  private SqliteSpace() {}

  /**
   * Gives a few pages back, if many are free. Within a write.
   *
   * @return whether there is more to give back
   */
  public static boolean giveBack(SqliteSession session) throws SQLException {
    if (session.number("PRAGMA auto_vacuum") != SqliteSession.SHORTENABLE) {
      return false;
    }
    int kept = Math.max(KEPT_PAGES, session.number("PRAGMA page_count") / KEPT_PART);
    int over = session.number("PRAGMA freelist_count") - kept;
    if (over < STEP_PAGES) {
      return false;
    }
    session.runToItsEnd(STEP);
    return over >= 2 * STEP_PAGES;
  }
}
