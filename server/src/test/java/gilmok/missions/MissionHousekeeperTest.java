package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.Seeds;
import gilmok.adapter.ArchivedMissions;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.log.FaultyDisk;
import gilmok.observe.Meters;
import gilmok.retention.DocumentHousekeeper;
import gilmok.retention.DocumentRetention;
import gilmok.retention.Killing;
import gilmok.retention.RemovalRig;
import gilmok.sinks.file.ArchiveFolder;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Old missions, and progress in them, are archived, then removed, over SQLite and real files: each
 * is once in the archive or in the store, whatever strikes.
 */
@Tag("unit")
final class MissionHousekeeperTest {
  private static final Duration KEEP = Duration.ofDays(31);
  private static final long DAY = MissionRemovalContract.DAY;
  private static final long BEGIN = MissionRemovalContract.BEGIN;
  private static final int RIDERS = 7;

  @TempDir Path temp;
  private final FaultyDisk disk = new FaultyDisk(new FileDisk());
  private final Meters meters = new Meters();
  private long now = BEGIN;
  private final InstantSource clock = () -> java.time.Instant.ofEpochMilli(now);
  private Path archive;
  private SqliteDatabase database;
  private MissionStore store;

  @BeforeEach
  void open() throws IOException {
    open("first");
  }

  private void open(String name) throws IOException {
    Path own = Files.createDirectory(temp.resolve(name));
    archive = own.resolve("archive");
    database = SqliteDatabase.open(own, SqliteConfig.DEFAULTS, new Meters());
    store = new SqliteMissions(database);
    now = BEGIN;
  }

  @AfterEach
  void close() throws IOException {
    database.close();
    meters.close();
  }

  private DocumentHousekeeper<OldMission> housekeeper(MissionRows rows, Meters shown) {
    ArchiveFolder folder = new ArchiveFolder(archive, new NodeId(7), disk, clock);
    return new DocumentHousekeeper<>(
        new DocumentRetention<>(
            ClosedMissions.KIND,
            () -> KEEP,
            4,
            new ArchivedMissions(folder),
            new MissionRemoval(rows)),
        () -> false,
        "n1",
        clock,
        shown);
  }

  private DocumentHousekeeper<OldMission> housekeeper() {
    return housekeeper(new SqliteMissionRows(database), new Meters());
  }

  /** The look of each of some days, until nothing of them can be left. */
  private void runDays(DocumentHousekeeper<?> housekeeper, int days) throws Exception {
    for (int day = 0; day < days; day++) {
      RemovalRig.run(housekeeper);
      now += DAY;
    }
    RemovalRig.run(housekeeper);
  }

  private static String mission(long day) {
    return "m" + day;
  }

  /** A mission that ends on each of those days, and every rider's progress, half of it settled. */
  private void missions(int days) throws Exception {
    for (int day = 0; day < days; day++) {
      store.put(MissionRemovalContract.mission(mission(day), day));
      for (int rider = 0; rider < RIDERS; rider++) {
        store.putProgress("rider " + rider, mission(day), "{\"count\":" + rider + "}");
        if (rider % 2 == 0) {
          store.settle("rider " + rider, List.of(new MissionStore.Due(mission(day), 1)), 5);
        }
      }
    }
  }

  private static List<String> ids(int days, LongPredicate progress, LongPredicate missions) {
    List<String> all = new ArrayList<>();
    for (int day = 0; day < days; day++) {
      for (int rider = 0; progress.test(day) && rider < RIDERS; rider++) {
        all.add("rider " + rider + "/" + mission(day));
      }
      if (missions.test(day)) {
        all.add("/" + mission(day));
      }
    }
    return all;
  }

  /** The ids in all files, one as often as it is there. */
  private List<String> archived() throws Exception {
    return RemovalRig.archived(
        archive.resolve("missions"), "coalesce(rider_id, '') || '/' || mission_id");
  }

  private List<String> stored() throws Exception {
    List<String> ids = new ArrayList<>();
    store.progressAfter("", MissionStore.MISSIONS_MAX).forEach(one -> ids.add(one.cursor()));
    store.missions().forEach(one -> ids.add("/" + one.id()));
    return ids;
  }

  /** Each is once in the archive or the store, and in the archive just what is asked for. */
  private void assertEachOnce(int days, LongPredicate progress, LongPredicate missions)
      throws Exception {
    List<String> archived = archived();
    List<String> union = new ArrayList<>(archived);
    union.addAll(stored());
    assertThat(union).containsExactlyInAnyOrderElementsOf(ids(days, _ -> true, _ -> true));
    assertThat(archived).containsExactlyInAnyOrderElementsOf(ids(days, progress, missions));
  }

  /** Whoever is late changes nothing of what has ended before that day. */
  private void assertClosed(int days) throws Exception {
    for (int day = 0; day < days; day++) {
      long end = MissionRemovalContract.end(day);
      assertThat(store.putProgress("rider 1", mission(day), "{}", end)).isNull();
      assertThat(store.putProgress("late", mission(day), "{}", end)).isNull();
      assertThat(store.put(MissionRemovalContract.mission(mission(day), day), end)).isFalse();
      int settled = store.settle("late", List.of(new MissionStore.Due(mission(day), 1)), 9);
      assertThat(settled).isZero();
    }
  }

  @Test
  void ended_areArchivedAndRemoved_progressFirst_eachOnce() throws Exception {
    missions(40);
    now = BEGIN + 40 * DAY;
    Meters shown = new Meters();
    DocumentHousekeeper<?> housekeeper = housekeeper(new SqliteMissionRows(database), shown);
    RemovalRig.run(housekeeper);
    assertEachOnce(40, day -> day < 9, _ -> false);
    assertClosed(9);
    assertEachOnce(40, day -> day < 9, _ -> false);
    now += DAY;
    RemovalRig.run(housekeeper);
    assertEachOnce(40, day -> day < 10, day -> day < 9);
    assertClosed(10);
    assertThat(new String(shown.scrape(), StandardCharsets.UTF_8))
        .contains(
            "gilmok_missions_archived_total 79",
            "gilmok_missions_removed_total 79",
            "gilmok_missions_overdue{cause=\"unreadable\"} 0",
            "gilmok_documents_removal_lag_seconds{kind=\"missions\"}");
    now = BEGIN + 100 * DAY;
    runDays(housekeeper, 2);
    assertEachOnce(40, _ -> true, _ -> true);
    assertThat(stored()).isEmpty();
  }

  @Test
  void archive_hasAllOfIt() throws Exception {
    missions(1);
    now = BEGIN + 60 * DAY;
    runDays(housekeeper(), 2);
    String sql =
        "SELECT record, settled_at IS NOT NULL, version, epoch_ms(ended_at) FROM '"
            + archive.resolve("missions/2026-01-01-2026-01-01-*.parquet")
            + "' WHERE rider_id IS NOT DISTINCT FROM ";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery(sql + "'rider 2'");
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1))
          .isEqualTo(
              "{\"riderId\":\"rider 2\",\"missionId\":\"m0\",\"progress\":{\"count\":2},"
                  + "\"settledAt\":\"1970-01-01T00:00:00.005Z\"}");
      assertThat(rows.getBoolean(2)).isTrue();
      assertThat(rows.getLong(3)).isOne();
      assertThat(rows.getLong(4)).isEqualTo(BEGIN);
      rows = statement.executeQuery(sql + "NULL");
      assertThat(rows.next()).isTrue();
      assertThat(rows.getString(1)).isEqualTo(MissionRemovalContract.mission("m0", 0).json());
      assertThat(rows.getBoolean(2)).isFalse();
    }
  }

  @Test
  void changedBetweenArchiveAndRemoval_stays_andIsArchivedAgain() throws Exception {
    missions(1);
    now = BEGIN + 60 * DAY;
    disk.set(
        (operation, path) -> {
          if (operation == FaultyDisk.Operation.WRITE && path.toString().contains("manifest")) {
            disk.set(FaultyDisk.NONE);
            try {
              store.putProgress("rider 3", mission(0), "{\"count\":99}"); // does not know
            } catch (InterruptedException never) {
              throw new IOException(never);
            }
          }
        });
    DocumentHousekeeper<?> housekeeper = housekeeper();
    RemovalRig.run(housekeeper);
    assertThat(stored()).containsExactlyInAnyOrder("rider 3/m0", "/m0");
    now += DAY;
    runDays(housekeeper, 2);
    assertThat(stored()).isEmpty();
    assertThat(archived()).filteredOn("rider 3/m0"::equals).hasSize(2);
    assertThat(archived()).hasSize(RIDERS + 2);
  }

  @Test
  void fullDisk_nothingIsRemoved_andItGoesOnWhenThereIsRoom() throws Exception {
    missions(3);
    now = BEGIN + 60 * DAY;
    disk.set(RemovalRig.FULL);
    DocumentHousekeeper<?> housekeeper = housekeeper();
    assertThatThrownBy(() -> RemovalRig.run(housekeeper)).hasMessageContaining("No space left");
    assertThatThrownBy(() -> RemovalRig.run(housekeeper)).hasMessageContaining("No space left");
    assertThat(stored()).hasSize(3 * RIDERS + 3);
    disk.set(FaultyDisk.NONE);
    runDays(housekeeper, 2);
    assertEachOnce(3, _ -> true, _ -> true);
  }

  @Test
  void clockSteps_nothingIsLostOrTwice() throws Exception {
    int days = 20;
    missions(days);
    DocumentHousekeeper<?> housekeeper = housekeeper();
    Random random = new Random(Seeds.first());
    for (int i = 0; i < 300; i++) {
      now = BEGIN + random.nextInt(55) * DAY;
      housekeeper.pass();
      long closed = store.closedMillis();
      assertThat(store.putProgress("late", "any", "{}", closed)).isNull();
    }
    now = BEGIN + 60 * DAY;
    runDays(housekeeper, 3);
    assertEachOnce(days, _ -> true, _ -> true);
    assertClosed(days);
  }

  @Test
  void killedAnywhere_eachIsOnce() throws Exception {
    RemovalRig.killedAnywhere(30, this::killedAt);
  }

  private int killedAt(int call, boolean after) throws Exception {
    database.close();
    open("run" + call + after);
    missions(6);
    now = BEGIN + 36 * DAY;
    Killing killing = new Killing(call);
    disk.set((operation, path) -> killing.called());
    MissionRows watched = killing.of(MissionRows.class, new SqliteMissionRows(database), after);
    DocumentHousekeeper<?> killed = housekeeper(watched, new Meters());
    if (call == Integer.MAX_VALUE) {
      runDays(killed, 1);
    } else {
      assertThatThrownBy(() -> runDays(killed, 1)).isInstanceOf(Killing.Killed.class);
    }
    disk.set(FaultyDisk.NONE);
    runDays(housekeeper(), 3);
    assertThat(archived()).doesNotHaveDuplicates();
    long closed = (now - KEEP.toMillis() - BEGIN) / DAY;
    assertClosed((int) Math.min(6, closed));
    assertEachOnce(6, _ -> true, _ -> true);
    return killing.calls();
  }
}
