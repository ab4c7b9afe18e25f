package gilmok.missions;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Missions in SQLite. A rider's progress is clustered, and one statement reads exactly the rows
 * asked for, however many others there are. Thread-safe; calls block until the change is on disk.
 */
public record SqliteMissions(SqliteDatabase database) implements MissionStore {
  private static final String ALL = "SELECT id, json FROM missions ORDER BY id";
  private static final String PUT =
      "INSERT INTO missions (id, json) VALUES (?, ?)"
          + " ON CONFLICT (id) DO UPDATE SET json = excluded.json";
  static final String COUNT =
      "INSERT INTO mission_changes (n, count) VALUES (1, 1)"
          + " ON CONFLICT (n) DO UPDATE SET count = count + 1";
  private static final String REVISION = "SELECT count FROM mission_changes WHERE n = 1";
  static final String PROGRESS =
      "SELECT mission_id, json, version, settled_at FROM mission_progress"
          + " WHERE rider_id = ? AND mission_id IN (SELECT value FROM json_each(?))";
  private static final String PUT_PROGRESS =
      "INSERT INTO mission_progress (rider_id, mission_id, version, json) VALUES (?, ?, 1, ?)"
          + " ON CONFLICT (rider_id, mission_id)"
          + " DO UPDATE SET version = version + 1, json = excluded.json"
          + " RETURNING version, settled_at";
  private static final String SETTLE =
      "UPDATE mission_progress SET settled_at = ?"
          + " WHERE rider_id = ? AND mission_id = ? AND version = ? AND settled_at = 0";
  private static final String PROFILE = "SELECT json FROM profiles WHERE rider_id = ?";
  private static final String PUT_PROFILE =
      "INSERT INTO profiles (rider_id, json) VALUES (?, ?)"
          + " ON CONFLICT (rider_id) DO UPDATE SET json = excluded.json";

  static final String PROGRESS_AFTER =
      "SELECT rider_id, mission_id, json, version, settled_at FROM mission_progress"
          + " WHERE (rider_id, mission_id) > (?, ?) ORDER BY rider_id, mission_id LIMIT ?";
  private static final String RESTORE_PROGRESS =
      "INSERT INTO mission_progress (rider_id, mission_id, version, settled_at, json)"
          + " VALUES (?, ?, 1, ?, ?) ON CONFLICT DO NOTHING";
  static final String ONE_PROGRESS =
      "SELECT rider_id, mission_id, json, version, settled_at FROM mission_progress"
          + " WHERE rider_id = ? AND mission_id = ?";
  private static final String PROFILES_AFTER =
      "SELECT rider_id, json FROM profiles WHERE rider_id > ? ORDER BY rider_id LIMIT ?";
  private static final String RESTORE_PROFILE =
      "INSERT INTO profiles (rider_id, json) VALUES (?, ?) ON CONFLICT DO NOTHING";

  /** Limits how long other writes wait for what is restored. */
  private static final int PIECE_MAX = 100;

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.ofAll("missions: all", ALL),
        Query.of("missions: put", PUT),
        Query.of("missions: count a change", COUNT),
        Query.of("missions: changes", REVISION),
        Query.of("missions: a rider's progress", PROGRESS),
        Query.of("missions: put progress", PUT_PROGRESS),
        Query.of("missions: settle", SETTLE),
        Query.of("profiles: one", PROFILE),
        Query.of("profiles: put", PUT_PROFILE),
        Query.of("missions: all progress", PROGRESS_AFTER),
        Query.of("missions: restore progress", RESTORE_PROGRESS),
        Query.of("missions: one progress", ONE_PROGRESS),
        Query.of("profiles: all", PROFILES_AFTER),
        Query.of("profiles: restore", RESTORE_PROFILE));
  }

  @Override
  public List<Kept> missions() throws IOException, InterruptedException {
    return database.list(row -> new Kept(row.getString(1), row.getString(2)), ALL);
  }

  @Override
  public long closedMillis() throws IOException, InterruptedException {
    return database.read(SqliteMissions::closedMillis);
  }

  private static long closedMillis(SqliteSession session) throws SQLException {
    return ClosedMissions.millis(SqliteRemovalPlans.removedTo(session, ClosedMissions.KIND));
  }

  @Override
  public boolean put(Kept mission, long endMillis) throws IOException, InterruptedException {
    return database.write(
        session -> {
          if (endMillis <= closedMillis(session)) {
            return false;
          }
          session.update(PUT, mission.id(), mission.json());
          session.update(COUNT);
          return true;
        });
  }

  @Override
  public long revision() throws IOException, InterruptedException {
    return Objects.requireNonNullElse(database.first(row -> row.getLong(1), REVISION), 0L);
  }

  @Override
  public List<Progress> progress(String riderId, List<String> missionIds)
      throws IOException, InterruptedException {
    MissionBounds.check(missionIds);
    if (missionIds.isEmpty()) {
      return List.of();
    }
    return database.list(
        row -> new Progress(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)),
        PROGRESS,
        riderId,
        array(missionIds));
  }

  /** The texts as a JSON array. Control characters would be escaped, too, but no id has any. */
  static String array(List<String> texts) {
    StringBuilder json = new StringBuilder(16 * texts.size()).append('[');
    for (String text : texts) {
      json.append(json.length() == 1 ? "\"" : ",\"");
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c < ' ') {
          json.append("\\u00").append(c < 16 ? '0' : '1').append(Character.forDigit(c & 15, 16));
        } else {
          json.append(c == '"' || c == '\\' ? "\\" : "").append(c);
        }
      }
      json.append('"');
    }
    return json.append(']').toString();
  }

  @Override
  public @Nullable Progress putProgress(
      String riderId, String missionId, String json, long endMillis)
      throws IOException, InterruptedException {
    Optional<Progress> put =
        database.write(
            session ->
                endMillis <= closedMillis(session)
                    ? Optional.empty()
                    : Optional.ofNullable(
                        session.first(
                            row -> new Progress(missionId, json, row.getLong(1), row.getLong(2)),
                            PUT_PROGRESS,
                            riderId,
                            missionId,
                            json)));
    return put.orElse(null);
  }

  @Override
  public int settle(String riderId, List<Due> due, long at)
      throws IOException, InterruptedException {
    MissionBounds.check(due, at);
    if (due.isEmpty()) {
      return 0;
    }
    // All in one transaction: even 1,000 hold the writer up for only some milliseconds.
    return database.write(
        session -> {
          int settled = 0;
          for (Due one : due) {
            settled += session.update(SETTLE, at, riderId, one.missionId(), one.version());
          }
          return settled;
        });
  }

  @Override
  public @Nullable String profile(String riderId) throws IOException, InterruptedException {
    return database.first(row -> row.getString(1), PROFILE, riderId);
  }

  @Override
  public void putProfile(String riderId, String json) throws IOException, InterruptedException {
    database.update(PUT_PROFILE, riderId, json);
  }

  @Override
  public List<RiderProgress> progressAfter(String cursor, int limit)
      throws IOException, InterruptedException {
    int slash = cursor.lastIndexOf('/');
    return database.list(
        SqliteMissions::riderProgress,
        PROGRESS_AFTER,
        slash < 0 ? cursor : cursor.substring(0, slash),
        cursor.substring(slash + 1),
        limit);
  }

  static RiderProgress riderProgress(ResultSet row) throws SQLException {
    return new RiderProgress(
        row.getString(1),
        new Progress(row.getString(2), row.getString(3), row.getLong(4), row.getLong(5)));
  }

  @Override
  public @Nullable List<Optional<RiderProgress>> restore(List<RiderProgress> past, long endMillis)
      throws IOException, InterruptedException {
    return inPieces(
        past,
        endMillis,
        (session, one) -> {
          Progress progress = one.progress();
          int added =
              session.update(
                  RESTORE_PROGRESS,
                  one.riderId(),
                  progress.missionId(),
                  progress.settledAt(),
                  progress.json());
          return added > 0
              ? null
              : session.first(
                  SqliteMissions::riderProgress, ONE_PROGRESS, one.riderId(), progress.missionId());
        });
  }

  @Override
  public List<Profile> profilesAfter(String riderId, int limit)
      throws IOException, InterruptedException {
    return database.list(
        row -> new Profile(row.getString(1), row.getString(2)), PROFILES_AFTER, riderId, limit);
  }

  @Override
  public List<Optional<Profile>> restoreProfiles(List<Profile> past)
      throws IOException, InterruptedException {
    List<Optional<Profile>> there =
        inPieces(
            past,
            Mission.FOR_EVER,
            (session, one) ->
                session.update(RESTORE_PROFILE, one.riderId(), one.json()) > 0
                    ? null
                    : session.first(
                        row -> new Profile(one.riderId(), row.getString(1)),
                        PROFILE,
                        one.riderId()));
    return Objects.requireNonNull(there);
  }

  /** Adds a record where there is none, else returns what is there. */
  private interface Restoring<T> {
    @Nullable T restore(SqliteSession session, T one) throws SQLException;
  }

  /** Restores all, or stops and returns null as soon as that end is closed. */
  private <T> @Nullable List<Optional<T>> inPieces(
      List<T> past, long endMillis, Restoring<T> restoring)
      throws IOException, InterruptedException {
    List<Optional<T>> there = new ArrayList<>(past.size());
    for (int from = 0; from < past.size(); from += PIECE_MAX) {
      List<T> piece = past.subList(from, Math.min(past.size(), from + PIECE_MAX));
      List<Optional<T>> found =
          database.write(
              session -> {
                List<Optional<T>> those = new ArrayList<>(piece.size());
                boolean isClosed = endMillis <= closedMillis(session);
                for (T one : isClosed ? List.<T>of() : piece) {
                  those.add(Optional.ofNullable(restoring.restore(session, one)));
                }
                return those;
              });
      if (found.isEmpty()) {
        return null;
      }
      there.addAll(found);
    }
    return there;
  }
}
