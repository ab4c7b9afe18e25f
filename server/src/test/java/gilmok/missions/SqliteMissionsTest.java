package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.Declared;
import gilmok.documents.Query;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqlitePlans;
import gilmok.observe.Meters;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept by SQLite. */
@Tag("unit")
final class SqliteMissionsTest extends MissionStoreContract {
  @TempDir Path folder;
  private Meters meters;
  private SqliteDatabase database;
  private MissionStore store;

  @BeforeEach
  void open() throws IOException {
    meters = new Meters();
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    store = new SqliteMissions(database);
  }

  @AfterEach
  void close() throws IOException {
    List<Query> declared = new ArrayList<>(SqliteMissions.queries());
    declared.addAll(SqliteRemovalPlans.queries());
    Declared.check(database, declared);
    database.close();
    meters.close();
  }

  @Override
  MissionStore store() {
    return store;
  }

  @Override
  MissionStore reopened() throws IOException {
    close();
    open();
    return store;
  }

  @Test
  void progress_isFoundByRiderAndMission_andNothingScans() throws Exception {
    try (SqlitePlans plans = new SqlitePlans(folder)) {
      for (Query query : SqliteMissions.queries()) {
        assertThat(plans.explain(query).verdict().isBad()).as(query.name()).isFalse();
      }
      assertThat(plans.explain(Query.of("progress", SqliteMissions.PROGRESS)).steps())
          .contains("SEARCH mission_progress USING PRIMARY KEY (rider_id=? AND mission_id=?)");
    }
  }

  @Test
  void texts_asAnArray() {
    assertThat(SqliteMissions.array(List.of("a", "\"\\", "\u0001\u001f\u007f", "", "길")))
        .isEqualTo("[\"a\",\"\\\"\\\\\",\"\\u0001\\u001f\u007f\",\"\",\"길\"]");
    assertThat(SqliteMissions.array(List.of())).isEqualTo("[]");
  }
}
