package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Compares the queries that a database was given with those that the stores declare. */
public final class Declared {
  private Declared() {}

  /**
   * Checks that every query prepared so far is declared, because {@code gilmok doctor} sees only
   * those.
   */
  public static void check(SqliteDatabase database, List<Query> declared) {
    List<String> texts = declared.stream().map(Query::sql).toList();
    assertThat(texts).as("queries() of the stores").containsAll(database.prepared());
  }
}
