package gilmok.documents;

import java.util.Locale;

/**
 * A statement that a store has prepared, declared so that {@code gilmok doctor} can explain it. A
 * test holds what the stores prepare against what they declare. Immutable.
 *
 * @param name what it is called to an operator
 * @param sql the text, as it is prepared
 * @param mayScan whether it is meant to read a whole table
 */
public record Query(String name, String sql, boolean mayScan) {
  /** One that has to find what it needs by an index. */
  public static Query of(String name, String sql) {
    return new Query(name, sql, false);
  }

  /** One that is meant to read everything that a table has. */
  public static Query ofAll(String name, String sql) {
    return new Query(name, sql, true);
  }

  /** Whether that text is such a statement, and not one about transactions or settings. */
  static boolean isQuery(String sql) {
    String word = sql.strip().split("\\s", 2)[0].toUpperCase(Locale.ROOT);
    return switch (word) {
      case "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH" -> true;
      default -> false;
    };
  }
}
