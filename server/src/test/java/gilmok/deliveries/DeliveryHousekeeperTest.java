package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.FaultyDisk;
import gilmok.observe.Meters;
import gilmok.retention.DocumentArchive;
import gilmok.retention.DocumentHousekeeper;
import gilmok.retention.DocumentRetention;
import gilmok.retention.Killing;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalRig;
import gilmok.sinks.file.ArchiveColumn;
import gilmok.sinks.file.ArchiveFolder;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Old deliveries are archived, then removed, over SQLite and real files. A fault strikes calls of
 * the disk and of the store: it ends the housekeeper there, as {@code kill -9} does, and another
 * one goes on.
 */
@Tag("unit")
final class DeliveryHousekeeperTest {
  private static final Duration KEEP = Duration.ofDays(30);
  private static final NodeId NODE = new NodeId(7);
  private static final long DAY = 86_400_000L;

  @TempDir Path temp;
  private final Day day = new Day();
  private final FaultyDisk disk = new FaultyDisk(new FileDisk());
  private final Meters meters = new Meters();
  private Path archive;
  private SqliteRig rig;
  private DeliveryStore store;
  private Duration keep = KEEP;
  private boolean isLoaded;

  @BeforeEach
  void open() throws IOException {
    open("first");
  }

  private void open(String name) throws IOException {
    Path own = Files.createDirectory(temp.resolve(name));
    archive = own.resolve("archive");
    rig = new SqliteRig(own, day);
    store = rig.deliveries();
  }

  @AfterEach
  void close() throws IOException {
    rig.close();
    meters.close();
  }

  private DocumentHousekeeper<StoredDelivery> housekeeper(DeliveryRemoval removal) {
    ArchiveFolder folder = new ArchiveFolder(archive, NODE, disk, day);
    List<ArchiveColumn> columns =
        List.of(
            new ArchiveColumn("id", ArchiveColumn.Kind.TEXT, true),
            new ArchiveColumn("record", ArchiveColumn.Kind.TEXT, true));
    DocumentArchive<StoredDelivery> ids =
        (name, pages) -> {
          Deque<StoredDelivery> ahead = new ArrayDeque<>();
          folder.write(
              "deliveries",
              name,
              columns,
              () -> {
                if (ahead.isEmpty()) {
                  ahead.addAll(pages.next());
                }
                StoredDelivery one = ahead.poll();
                return one == null ? null : List.of(one.delivery().id(), one.record());
              });
        };
    return new DocumentHousekeeper<>(
        new DocumentRetention<>(DeliveryRemoval.KIND, () -> keep, 4, ids, removal),
        () -> isLoaded,
        "n1",
        day,
        new Meters());
  }

  private void run() throws Exception {
    RemovalRig.run(housekeeper(rig.removal()));
  }

  /** A delivery that was created now and cancelled; everybody was told. */
  private Delivery cancelled() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery last =
        day.moved(
            store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER), day.move(Step.CANCEL));
    tell(last);
    day.pass(60_000);
    return last;
  }

  private void tell(Delivery delivery) throws Exception {
    for (OutboxReader reader : OutboxReader.values()) {
      rig.outbox().told(List.of(new Outbox.Told(delivery.id(), reader, delivery.version())));
    }
  }

  /** The ids in all files, one as often as it is there. */
  private List<String> archived() throws Exception {
    return RemovalRig.archived(archive.resolve("deliveries"), "id");
  }

  private List<String> files() throws IOException {
    return list(".parquet");
  }

  private List<String> list(String suffix) throws IOException {
    return RemovalRig.files(archive.resolve("deliveries"), suffix);
  }

  private static List<String> ids(List<Delivery> deliveries) {
    return deliveries.stream().map(Delivery::id).toList();
  }

  @Test
  void keptForEver_nothingIsRead() throws Exception {
    cancelled();
    day.pass(400 * DAY);
    keep = Duration.ZERO;
    run();
    assertThat(archived()).isEmpty();
    assertThat(store.after("", 10)).hasSize(1);
  }

  @Test
  void old_areArchivedAndRemoved_whatIsOpenOrWaitsOrIsYoungStays() throws Exception {
    Delivery old = cancelled();
    Delivery open = day.created(store, day.delivery());
    day.pass(1_000);
    Delivery untold =
        day.moved(store, day.created(store, day.delivery()).id(), day.move(Step.CANCEL));
    day.pass(1_000);
    Delivery lately = day.created(store, day.delivery());
    day.pass(31 * DAY);
    Delivery ended = day.moved(store, lately.id(), day.move(Step.CANCEL));
    tell(ended);
    Delivery young = cancelled();
    DocumentHousekeeper<?> housekeeper = housekeeper(rig.removal());
    RemovalRig.run(housekeeper);
    assertThat(archived()).containsExactly(old.id());
    assertThat(store.after("", 10)).containsExactly(open, untold, ended, young);
    assertThat(store.removedTo()).isEqualTo(old.id());
    tell(untold);
    day.pass(2 * DAY);
    RemovalRig.run(housekeeper);
    assertThat(archived()).as("the next day it looks at all again").contains(untold.id());
    assertThat(store.after("", 10)).containsExactly(open, ended, young);
    day.pass(31 * DAY);
    RemovalRig.run(housekeeper);
    assertThat(store.after("", 10)).containsExactly(open);
    assertThat(files()).hasSize(3);
    assertThat(Files.readAllLines(archive.resolve("deliveries/" + ArchiveFolder.MANIFEST)))
        .hasSize(3)
        .allMatch(line -> line.contains("\"rows\":"));
  }

  @Test
  void fewer_waitForADay_soThatFilesAreNotSmall() throws Exception {
    Delivery old = cancelled();
    day.pass(30 * DAY + DAY / 2);
    run();
    assertThat(archived()).isEmpty();
    day.pass(DAY);
    run();
    assertThat(archived()).containsExactly(old.id());
  }

  @Test
  void underLoad_itWaits() throws Exception {
    Delivery old = cancelled();
    day.pass(40 * DAY);
    isLoaded = true;
    DocumentHousekeeper<?> housekeeper = housekeeper(rig.removal());
    for (int i = 0; i < 5; i++) {
      assertThat(housekeeper.pass()).isLessThan(DocumentHousekeeper.IDLE_NANOS);
    }
    assertThat(archived()).isEmpty();
    isLoaded = false;
    RemovalRig.run(housekeeper);
    assertThat(archived()).containsExactly(old.id());
  }

  @Test
  void changedBetweenArchiveAndRemoval_staysAndIsArchivedAgain() throws Exception {
    Delivery old = cancelled();
    day.pass(40 * DAY);
    DocumentHousekeeper<?> housekeeper = housekeeper(rig.removal());
    while (!isArchived()) {
      housekeeper.pass();
    }
    store.act(old.id(), day.action(Step.PICK_UP, "late"));
    Delivery changed = Objects.requireNonNull(store.find(old.id()));
    RemovalRig.run(housekeeper);
    assertThat(changed).isNotEqualTo(old);
    assertThat(store.find(old.id())).isEqualTo(changed);
    day.pass(40 * DAY);
    RemovalRig.run(housekeeper);
    assertThat(store.find(old.id())).isNull();
    assertThat(Files.readAllLines(archive.resolve("deliveries/" + ArchiveFolder.MANIFEST)))
        .as("a second file, with the newer state")
        .hasSize(2);
    assertThat(archived()).containsExactly(old.id(), old.id());
  }

  /** A plan with the same first and last one must not replace the file of what is gone. */
  @Test
  void firstAndLastHaveStayed_theFileWithTheOneBetweenStays() throws Exception {
    Delivery first = cancelled();
    Delivery between = cancelled();
    Delivery last = cancelled();
    day.pass(40 * DAY);
    DocumentHousekeeper<?> housekeeper = housekeeper(rig.removal());
    while (!isArchived()) {
      housekeeper.pass();
    }
    store.act(first.id(), day.action(Step.PICK_UP, "late"));
    store.act(last.id(), day.action(Step.PICK_UP, "late, too"));
    RemovalRig.run(housekeeper);
    assertThat(store.find(between.id())).isNull();
    day.pass(40 * DAY);
    RemovalRig.run(housekeeper);
    assertThat(store.after("", 10)).isEmpty();
    assertThat(archived()).contains(between.id());
    assertThat(files()).hasSize(2);
  }

  private boolean isArchived() throws Exception {
    RemovalPlan plan = rig.removal().plans().plan();
    return plan != null && plan.isArchived();
  }

  @Test
  void fullDisk_nothingIsRemoved_nothingHalfIsLeft_andItGoesOnWhenThereIsRoom() throws Exception {
    Delivery old = cancelled();
    day.pass(40 * DAY);
    disk.set(RemovalRig.FULL);
    DocumentHousekeeper<?> housekeeper = housekeeper(rig.removal());
    assertThatThrownBy(() -> RemovalRig.run(housekeeper)).hasMessageContaining("No space left");
    assertThatThrownBy(() -> RemovalRig.run(housekeeper)).hasMessageContaining("No space left");
    assertThat(list("")).isEmpty();
    assertThat(store.find(old.id())).isEqualTo(old);
    disk.set(FaultyDisk.NONE);
    RemovalRig.run(housekeeper);
    assertThat(archived()).containsExactly(old.id());
    assertThat(store.find(old.id())).isNull();
  }

  @Test
  void killedAnywhere_nothingIsLost_andNothingIsArchivedUnderTwoNames() throws Exception {
    RemovalRig.killedAnywhere(15, this::killedAt);
  }

  /**
   * Runs a housekeeper that is killed at a call, then another; returns the number of calls.
   *
   * @param after whether the call still takes effect
   */
  private int killedAt(int call, boolean after) throws Exception {
    rig.close();
    open("run" + call + after);
    List<Delivery> old = new ArrayList<>();
    for (int i = 0; i < DocumentHousekeeper.STEP_ROWS + 5; i++) {
      old.add(cancelled());
    }
    Delivery open = day.created(store, day.delivery());
    day.pass(40 * DAY);
    Killing killing = new Killing(call);
    disk.set((operation, path) -> killing.called());
    DeliveryRemoval removal = rig.removal();
    DeliveryRemoval watched = killing.of(DeliveryRemoval.class, removal, after);
    if (call == Integer.MAX_VALUE) {
      RemovalRig.run(housekeeper(watched));
    } else {
      assertThatThrownBy(() -> RemovalRig.run(housekeeper(watched)))
          .isInstanceOf(Killing.Killed.class);
    }
    disk.set(FaultyDisk.NONE);
    run();
    assertThat(archived()).isEqualTo(ids(old));
    assertThat(files()).hasSize(1);
    assertThat(Files.readAllLines(archive.resolve("deliveries/" + ArchiveFolder.MANIFEST)))
        .hasSize(1)
        .allMatch(line -> line.contains("\"rows\":" + old.size() + ","));
    assertThat(list(".open")).isEmpty();
    assertThat(store.after("", 100)).containsExactly(open);
    assertThat(rig.removal().plans().plan()).isNull();
    return killing.calls();
  }
}
