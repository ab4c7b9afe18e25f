package gilmok.missions;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSpace;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Missions and progress in SQLite, read and removed. Thread-safe; calls block. */
public record SqliteMissionRows(SqliteDatabase database) implements MissionRows {
  private static final String MISSION = "SELECT id, json FROM missions WHERE id = ?";
  private static final String NO_PROGRESS =
      "DELETE FROM mission_progress"
          + " WHERE rider_id = ? AND mission_id = ? AND version = ? AND (settled_at <> 0) = ?";
  private static final String NO_RIDER = "DELETE FROM mission_progress WHERE rider_id = ?";
  private static final String NO_PROFILE = "DELETE FROM profiles WHERE rider_id = ?";
  private static final String NO_MISSION = "DELETE FROM missions WHERE id = ? AND json = ?";

  /** All queries that only these rows send. */
  public static List<Query> queries() {
    return List.of(
        Query.of("missions: one", MISSION),
        Query.of("missions: remove progress", NO_PROGRESS),
        Query.of("missions: remove one", NO_MISSION),
        Query.of("erasure: remove a rider's progress", NO_RIDER),
        Query.of("erasure: remove a profile", NO_PROFILE));
  }

  @Override
  public RemovalPlans plans() {
    return new SqliteRemovalPlans(database, ClosedMissions.KIND);
  }

  /** Each write looks at what is closed in its own transaction. */
  @Override
  public long settleNanos() {
    return 0;
  }

  @Override
  public List<MissionStore.Kept> missions() throws IOException, InterruptedException {
    return new SqliteMissions(database).missions();
  }

  @Override
  public List<MissionStore.Kept> missions(List<String> ids)
      throws IOException, InterruptedException {
    return database.read(
        session -> {
          List<MissionStore.Kept> found = new ArrayList<>(ids.size());
          for (String id : ids) {
            found.addAll(
                session.list(
                    row -> new MissionStore.Kept(row.getString(1), row.getString(2)), MISSION, id));
          }
          return found;
        });
  }

  @Override
  public List<Row> progressAfter(String after, int limit) throws IOException, InterruptedException {
    return database.list(
        SqliteMissionRows::row, SqliteMissions.PROGRESS_AFTER, rider(after), mission(after), limit);
  }

  @Override
  public List<Row> progress(List<String> ids) throws IOException, InterruptedException {
    return database.read(
        session -> {
          List<Row> found = new ArrayList<>(ids.size());
          for (String id : ids) {
            found.addAll(
                session.list(
                    SqliteMissionRows::row, SqliteMissions.ONE_PROGRESS, rider(id), mission(id)));
          }
          return found;
        });
  }

  private static String rider(String id) {
    return id.substring(0, Math.max(0, id.lastIndexOf('/')));
  }

  private static String mission(String id) {
    return id.substring(id.lastIndexOf('/') + 1);
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(row.getString(1) + "/" + row.getString(2), readable(row));
  }

  private static MissionStore.@Nullable RiderProgress readable(ResultSet row) throws SQLException {
    boolean isText = row.getObject(3) instanceof String;
    return isText ? SqliteMissions.riderProgress(row) : null;
  }

  @Override
  public int remove(List<RemovalPlan.Row> progress, List<MissionStore.Kept> missions)
      throws IOException, InterruptedException {
    return database.write(
        session -> {
          int removed = 0;
          for (RemovalPlan.Row row : progress) {
            removed +=
                session.update(
                    NO_PROGRESS,
                    rider(row.id()),
                    mission(row.id()),
                    row.revision() >> 1,
                    row.revision() & 1);
          }
          int gone = 0;
          for (MissionStore.Kept one : missions) {
            gone += session.update(NO_MISSION, one.id(), one.json());
          }
          if (gone > 0) {
            session.update(SqliteMissions.COUNT);
          }
          return removed + gone;
        });
  }

  @Override
  public long erase(String riderId) throws IOException, InterruptedException {
    return database.write(
        session -> (long) session.update(NO_RIDER, riderId) + session.update(NO_PROFILE, riderId));
  }

  @Override
  public boolean shrink() throws IOException, InterruptedException {
    return database.write(SqliteSpace::giveBack);
  }
}
