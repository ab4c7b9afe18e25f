package gilmok.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Holds what was asked of a database against what the stores say that they ask. */
public final class Declared {
  private Declared() {}

  /** Every query that was prepared so far is one of these: {@code gilmok doctor} sees it. */
  public static void check(SqliteDatabase database, List<Query> declared) {
    List<String> texts = declared.stream().map(Query::sql).toList();
    assertThat(texts).as("queries() of the stores").containsAll(database.prepared());
  }
}
