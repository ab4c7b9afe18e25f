package gilmok.documents;

import java.util.Locale;

/**
 * An SQL statement of a store, declared so that {@code gilmok doctor} can explain it. A test
 * compares what the stores prepare with what they declare. Immutable.
 *
 * @param name its name for operators
 * @param sql its text, exactly as it is prepared
 * @param mayScan whether it is meant to scan a whole table
 */
public record Query(String name, String sql, boolean mayScan) {
  /** A statement that must use an index. */
  public static Query of(String name, String sql) {
    return new Query(name, sql, false);
  }

  /** A statement that is meant to read a whole table. */
  public static Query ofAll(String name, String sql) {
    return new Query(name, sql, true);
  }

  /** Whether the text reads or writes data, and is not about transactions or settings. */
  static boolean isQuery(String sql) {
    String word = sql.strip().split("\\s", 2)[0].toUpperCase(Locale.ROOT);
    return switch (word) {
      case "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH" -> true;
      default -> false;
    };
  }
}
