package gilmok.missions;

import gilmok.documents.Declared;
import gilmok.documents.Query;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteMissionRemovalTest extends MissionRemovalContract {
  @TempDir Path folder;
  private final Meters meters = new Meters();
  private SqliteDatabase database;

  @BeforeEach
  void open() throws IOException {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
  }

  @AfterEach
  void close() throws IOException {
    List<Query> declared = new ArrayList<>(SqliteMissions.queries());
    declared.addAll(SqliteRemovalPlans.queries());
    declared.addAll(SqliteMissionRows.queries());
    Declared.check(database, declared);
    database.close();
    meters.close();
  }

  @Override
  MissionStore store() {
    return new SqliteMissions(database);
  }

  @Override
  MissionRows rows() {
    return new SqliteMissionRows(database);
  }

  @Override
  MissionRemoval removal() {
    return new MissionRemoval(new SqliteMissionRows(database));
  }
}
