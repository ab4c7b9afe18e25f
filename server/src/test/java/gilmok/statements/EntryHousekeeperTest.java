package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.Seeds;
import gilmok.adapter.ArchivedEntries;
import gilmok.documents.SmallLog;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteWork;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Old entries are archived, then removed, over SQLite and real files: each is once in the archive
 * or in the store, whatever strikes.
 */
@Tag("unit")
final class EntryHousekeeperTest {
  private static final Duration KEEP = Duration.ofDays(31);
  private static final long DAY = EntryRemovalContract.DAY;
  private static final long BEGIN = EntryRemovalContract.BEGIN;
  private static final int ADDED = 10_000;

  @TempDir Path temp;
  private final FaultyDisk disk = new FaultyDisk(new FileDisk());
  private final Meters meters = new Meters();
  private long now = BEGIN;
  private final InstantSource clock = () -> java.time.Instant.ofEpochMilli(now);
  private Path folder;
  private Path archive;
  private SqliteDatabase database;
  private EntryStore store;

  @BeforeEach
  void open() throws IOException {
    open("first");
  }

  private void open(String name) throws IOException {
    folder = Files.createDirectory(temp.resolve(name));
    archive = folder.resolve("archive");
    database = SmallLog.open(folder, SqliteConfig.DEFAULTS, new Meters());
    store = new SqliteEntries(database);
    now = BEGIN;
  }

  @AfterEach
  void close() throws IOException {
    database.close();
    meters.close();
  }

  private DocumentHousekeeper<StatementEntry> housekeeper(EntryRemoval removal, Meters shown) {
    ArchiveFolder files = new ArchiveFolder(archive, new NodeId(7), disk, clock);
    return new DocumentHousekeeper<>(
        new DocumentRetention<>(
            EntryRemoval.KIND, () -> KEEP, 4, new ArchivedEntries(files), removal),
        () -> false,
        "n1",
        clock,
        shown);
  }

  private void run() throws Exception {
    RemovalRig.run(housekeeper(new SqliteEntryRemoval(database), new Meters()));
  }

  /** Some entries of each of those days, of several riders. */
  private List<StatementEntry> entries(int days, int each) throws Exception {
    List<StatementEntry> all = new ArrayList<>();
    for (int day = 0; day < days; day++) {
      for (int i = 0; i < each; i++) {
        String rider = "rider " + i % 7;
        long at = BEGIN + day * DAY + i * 60_000L;
        all.add(EntryRemovalContract.entry(day + "-" + i, rider, at));
      }
    }
    for (int i = 0; i < all.size(); i += EntryStore.ENTRIES_MAX) {
      store.add(all.subList(i, Math.min(all.size(), i + EntryStore.ENTRIES_MAX)));
    }
    return all;
  }

  /** The ids in all files, one as often as it is there. */
  private List<String> archived() throws Exception {
    return RemovalRig.archived(archive.resolve("statements"), "id");
  }

  private List<String> files() throws IOException {
    return RemovalRig.files(archive.resolve("statements"), ".parquet");
  }

  private List<String> stored() throws Exception {
    List<String> ids = new ArrayList<>();
    List<StatementEntry> page = store.after("", EntryStore.ENTRIES_MAX);
    while (!page.isEmpty()) {
      page.forEach(one -> ids.add(one.id()));
      page = store.after(page.getLast().id(), EntryStore.ENTRIES_MAX);
    }
    return ids;
  }

  /** Each of them is once in the archive or the store; those before that day in the archive. */
  private void assertEachOnce(List<StatementEntry> all, long fromMillis) throws Exception {
    List<String> archived = archived();
    List<String> union = new ArrayList<>(archived);
    union.addAll(stored());
    assertThat(union)
        .containsExactlyInAnyOrderElementsOf(all.stream().map(StatementEntry::id).toList());
    assertThat(archived)
        .containsExactlyInAnyOrderElementsOf(
            all.stream()
                .filter(one -> one.atMillis() < fromMillis)
                .map(StatementEntry::id)
                .toList());
  }

  @Test
  void old_areArchivedAndRemoved_eachOnce_andAReplayAddsNone() throws Exception {
    List<StatementEntry> all = entries(40, 30);
    now = BEGIN + 40 * DAY;
    Meters shown = new Meters();
    RemovalRig.run(housekeeper(new SqliteEntryRemoval(database), shown));
    long kept = BEGIN + 8 * DAY;
    assertEachOnce(all, kept);
    assertThat(store.keptFromMillis()).isEqualTo(kept);
    int tooOld = 0;
    for (int i = 0; i < all.size(); i += 100) {
      EntryStore.Added again = store.add(all.subList(i, i + 100));
      assertThat(again.accepted()).isZero();
      tooOld += again.tooOld().size();
    }
    assertThat(tooOld).isEqualTo(8 * 30);
    assertEachOnce(all, kept);
    now += 3 * DAY;
    run();
    assertEachOnce(all, BEGIN + 11 * DAY);
    assertThat(new String(shown.scrape(), StandardCharsets.UTF_8))
        .contains(
            "gilmok_statements_archived_total 240",
            "gilmok_statements_removed_total 240",
            "gilmok_statements_overdue{cause=\"unreadable\"} 0",
            "gilmok_documents_removal_lag_seconds{kind=\"statements\"}");
  }

  @Test
  void moreThanAFile_becomeSeveral_eachOnce() throws Exception {
    List<StatementEntry> all = entries(10, DocumentHousekeeper.PLAN_ROWS / 9);
    now = BEGIN + 60 * DAY;
    run();
    assertEachOnce(all, Long.MAX_VALUE);
    assertThat(files()).hasSize(2);
  }

  /** As {@code lab/year} without rests: three who add, one who removes, nobody waits. */
  @Test
  void whileManyAreAdded_removingKeepsTheWriteAheadLogToItsBound() throws Exception {
    long highest = 0;
    AtomicInteger added = new AtomicInteger();
    AtomicIntegerArray days = new AtomicIntegerArray(3);
    DocumentHousekeeper<?> housekeeper =
        housekeeper(new SqliteEntryRemoval(database), new Meters());
    try (ExecutorService adding = Executors.newFixedThreadPool(3)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int adder = i;
        all.add(
            adding.submit(
                () -> {
                  for (int n = 0; n < ADDED; n += EntryStore.ENTRIES_MAX) {
                    List<StatementEntry> page = new ArrayList<>();
                    for (int k = n; k < n + EntryStore.ENTRIES_MAX; k++) {
                      String rider = "rider " + k % 977;
                      String id = adder + "-" + k;
                      page.add(EntryRemovalContract.entry(id, rider, BEGIN + k / 500 * DAY));
                    }
                    days.set(adder, n / 500);
                    added.addAndGet(store.add(page).accepted());
                  }
                  return null;
                }));
      }
      while (!all.stream().allMatch(Future::isDone)) {
        int day = Math.min(days.get(0), Math.min(days.get(1), days.get(2)));
        now = BEGIN + day * DAY + KEEP.toMillis();
        long _ = housekeeper.pass();
        highest = Math.max(highest, SmallLog.bytes(folder));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    now += 60 * DAY;
    RemovalRig.run(housekeeper);
    assertThat(added.get()).isEqualTo(3 * ADDED);
    assertThat(archived()).hasSize(added.get()).doesNotHaveDuplicates();
    assertThat(highest).isBetween(4L << 20, SmallLog.BYTES_MAX);
  }

  @Test
  void whileTheWriteAheadLogIsLarge_nothingIsRemoved() throws Exception {
    List<StatementEntry> all = entries(2, 60);
    now = BEGIN + 60 * DAY;
    Meters shown = new Meters();
    DocumentHousekeeper<?> housekeeper = housekeeper(new SqliteEntryRemoval(database), shown);
    CountDownLatch reads = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Boolean> reader = thread.submit(() -> database.read(held(reads, ends)));
      reads.await();
      for (int n = 0; !database.isBehind(); n++) {
        database.update(
            "INSERT INTO profiles (rider_id, json) VALUES (?, zeroblob(200000))", "r" + n);
      }
      assertThat(housekeeper.pass()).isBetween(1L, DocumentHousekeeper.IDLE_NANOS - 1);
      assertThat(housekeeper.pass()).isBetween(1L, DocumentHousekeeper.IDLE_NANOS - 1);
      assertThat(new String(shown.scrape(), StandardCharsets.UTF_8))
          .contains("gilmok_statements_removal_deferred_total 2");
      assertThat(files()).isEmpty();
      ends.countDown();
      assertThat(reader.get()).isTrue();
    }
    RemovalRig.run(housekeeper);
    assertEachOnce(all, Long.MAX_VALUE);
  }

  /** A read of one state that lasts until it may end. */
  private static SqliteWork<Boolean> held(CountDownLatch reads, CountDownLatch ends) {
    return session -> {
      session.run("BEGIN");
      session.first(row -> row.getInt(1), "SELECT count(*) FROM profiles");
      reads.countDown();
      try {
        ends.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      session.run("COMMIT");
      return true;
    };
  }

  @Test
  void fullDisk_nothingIsRemoved_andItGoesOnWhenThereIsRoom() throws Exception {
    List<StatementEntry> all = entries(3, 10);
    now = BEGIN + 60 * DAY;
    disk.set(RemovalRig.FULL);
    DocumentHousekeeper<?> housekeeper =
        housekeeper(new SqliteEntryRemoval(database), new Meters());
    assertThatThrownBy(() -> RemovalRig.run(housekeeper)).hasMessageContaining("No space left");
    assertThatThrownBy(() -> RemovalRig.run(housekeeper)).hasMessageContaining("No space left");
    assertThat(stored()).hasSize(all.size());
    disk.set(FaultyDisk.NONE);
    RemovalRig.run(housekeeper);
    assertEachOnce(all, Long.MAX_VALUE);
  }

  @Test
  void clockSteps_nothingIsLostOrTwice() throws Exception {
    List<StatementEntry> all = entries(50, 20);
    DocumentHousekeeper<?> housekeeper =
        housekeeper(new SqliteEntryRemoval(database), new Meters());
    Random random = new Random(Seeds.first());
    for (int i = 0; i < 200; i++) {
      now = BEGIN + random.nextInt(75) * DAY;
      housekeeper.pass();
      int from = random.nextInt(all.size() - 50);
      assertThat(store.add(all.subList(from, from + 50)).accepted()).isZero();
    }
    now = BEGIN + 75 * DAY;
    RemovalRig.run(housekeeper);
    now += 2 * DAY;
    RemovalRig.run(housekeeper);
    assertEachOnce(all, store.keptFromMillis());
    assertThat(store.keptFromMillis()).isGreaterThan(BEGIN + 40 * DAY);
  }

  @Test
  void killedAnywhere_eachIsOnce() throws Exception {
    RemovalRig.killedAnywhere(15, this::killedAt);
  }

  private int killedAt(int call, boolean after) throws Exception {
    database.close();
    open("run" + call + after);
    List<StatementEntry> all = entries(4, DocumentHousekeeper.STEP_ROWS / 2);
    now = BEGIN + 35 * DAY;
    Killing killing = new Killing(call);
    disk.set((operation, path) -> killing.called());
    EntryRemoval watched = killing.of(EntryRemoval.class, new SqliteEntryRemoval(database), after);
    DocumentHousekeeper<?> killed = housekeeper(watched, new Meters());
    if (call == Integer.MAX_VALUE) {
      RemovalRig.run(killed);
    } else {
      assertThatThrownBy(() -> RemovalRig.run(killed)).isInstanceOf(Killing.Killed.class);
    }
    disk.set(FaultyDisk.NONE);
    assertThat(store.add(all).accepted()).as("a replay in between").isZero();
    run();
    assertThat(store.add(all).accepted()).as("a replay").isZero();
    assertEachOnce(all, BEGIN + 3 * DAY);
    assertThat(files()).hasSize(1);
    return killing.calls();
  }
}
