package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.RiderAlias;
import gilmok.missions.MissionStore.Kept;
import gilmok.missions.MissionStore.Progress;
import gilmok.missions.MissionStore.RiderProgress;
import gilmok.retention.DocumentRemoval.Page;
import gilmok.retention.RemovalPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of taking old missions and progress out of a store, whatever stores them. */
abstract class MissionRemovalContract {
  static final long DAY = 86_400_000L;
  static final long BEGIN = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  abstract MissionStore store() throws Exception;

  abstract MissionRows rows() throws Exception;

  /** As another process has it. */
  abstract MissionRemoval removal() throws Exception;

  /** A mission that ends that many days after the begin. */
  static Kept mission(String id, long days) {
    return new Kept(id, "{\"id\":\"" + id + "\",\"goal\":1,\"to\":" + (BEGIN + days * DAY) + "}");
  }

  static long end(long days) {
    return BEGIN + days * DAY;
  }

  private static List<OldMission> walk(MissionRemoval removal, long before, int limit)
      throws Exception {
    List<OldMission> all = new ArrayList<>();
    String cursor = "";
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() - until < 0) {
      Page<OldMission> page = removal.page(cursor, before, limit);
      assertThat(page.rows().size()).isLessThanOrEqualTo(limit);
      all.addAll(page.rows());
      String last = page.last();
      if (last == null) {
        assertThat(page.rows()).isEmpty();
        return all;
      }
      cursor = last;
      if (cursor.isEmpty()) {
        Thread.onSpinWait(); // until what was closed holds everywhere
      }
    }
    throw new AssertionError("no end");
  }

  private List<String> ids(long before, int limit) throws Exception {
    return walk(removal(), before, limit).stream().map(OldMission::id).toList();
  }

  private static List<RemovalPlan.Row> rows(List<OldMission> all) {
    return all.stream().map(one -> new RemovalPlan.Row(one.id(), one.revision())).toList();
  }

  private static RiderProgress past(String rider, String mission) {
    return new RiderProgress(rider, new Progress(mission, "{\"count\":1}", 1, 0));
  }

  @Test
  void page_hasTheProgressOfEndedMissions_thenThoseThatNobodyIsIn() throws Exception {
    store().put(mission("alone", 2));
    store().put(mission("old", 1));
    store().put(mission("길", 2));
    store().put(mission("young", 9));
    store().put(new Kept("ever", "{\"id\":\"ever\"}"));
    for (String rider : List.of("a", "a/b", "b 7", "길목")) {
      for (String mission : List.of("old", "길", "young", "ever")) {
        store().putProgress(rider, mission, "{}");
      }
    }
    List<String> progress =
        List.of("a/old", "a/길", "a/b/old", "a/b/길", "b 7/old", "b 7/길", "길목/old", "길목/길");
    for (int limit : new int[] {1, 2, 3, 100}) {
      List<String> found = ids(end(3), limit);
      assertThat(found.getLast()).as("pages of " + limit).isEqualTo("/alone");
      assertThat(found.subList(0, found.size() - 1)).containsExactlyInAnyOrderElementsOf(progress);
    }
    assertThat(ids(end(1), 100)).as("nothing has ended before").isEmpty();
  }

  @Test
  void closed_nothingIsPutOrRestored_andTheOthersAre() throws Exception {
    store().put(mission("old", 1));
    store().put(mission("young", 2));
    store().putProgress("a", "old", "{}");
    assertThat(store().closedMillis()).isEqualTo(Long.MIN_VALUE);
    walk(removal(), end(1) + 1, 10);
    assertThat(store().closedMillis()).isEqualTo(end(1));
    assertThat(store().putProgress("a", "old", "{\"count\":2}", end(1))).isNull();
    assertThat(store().putProgress("late", "old", "{}", end(1))).isNull();
    assertThat(store().restore(List.of(past("late", "old")), end(1))).isNull();
    assertThat(store().put(mission("old", 9), end(1))).as("one that is closed").isFalse();
    assertThat(store().put(mission("again", 1), end(1))).as("one of that time").isFalse();
    assertThat(store().putProgress("a", "young", "{}", end(2))).isNotNull();
    assertThat(store().restore(List.of(past("b", "young")), end(2))).hasSize(1);
    assertThat(store().put(mission("young", 3), end(2))).isTrue();
    assertThat(store().put(mission("new", 2), end(2))).isTrue();
    assertThat(store().progressAfter("", 10).stream().map(RiderProgress::cursor))
        .containsExactlyInAnyOrder("a/old", "a/young", "b/young");
    assertThat(store().missions().stream().map(Kept::id)).containsExactly("new", "old", "young");
  }

  @Test
  void closed_staysSo_whateverIsAskedLater() throws Exception {
    store().put(mission("old", 5));
    walk(removal(), end(6), 10);
    walk(removal(), end(2), 10);
    walk(removal(), end(6), 10);
    assertThat(store().closedMillis()).isEqualTo(end(5));
    removal().plans().forget();
    assertThat(store().closedMillis()).isEqualTo(end(5));
  }

  @Test
  void removed_isNowhere_theMissionLast_andItsIdIsFree() throws Exception {
    store().put(mission("old", 1));
    store().put(mission("young", 9));
    store().putProgress("a", "old", "{\"count\":1}");
    store().putProgress("b", "old", "{\"count\":1}");
    store().putProgress("a", "young", "{}");
    MissionRemoval removal = removal();
    List<OldMission> progress = walk(removal, end(2), 10);
    assertThat(progress).hasSize(2);
    assertThat(removal.remove(rows(progress))).isEqualTo(2);
    assertThat(removal.remove(rows(progress))).as("once more").isZero();
    long revision = store().revision();
    List<OldMission> itself = walk(removal, end(2), 10);
    assertThat(itself).containsExactly(OldMission.itself(mission("old", 1), end(1)));
    assertThat(removal.remove(rows(itself))).isOne();
    assertThat(removal.remove(rows(itself))).as("once more").isZero();
    assertThat(store().revision()).as("other nodes look").isGreaterThan(revision);
    assertThat(store().missions()).containsExactly(mission("young", 9));
    assertThat(store().progressAfter("", 10)).hasSize(1);
    assertThat(store().put(mission("old", 1), end(1))).as("as it was").isFalse();
    assertThat(store().put(mission("old", 8), end(8))).as("a new one").isTrue();
    assertThat(walk(removal, end(2), 10)).isEmpty();
  }

  @Test
  void changedSinceItWasArchived_stays() throws Exception {
    store().put(mission("old", 1));
    store().putProgress("put", "old", "{}");
    store().putProgress("settled", "old", "{}");
    store().putProgress("same", "old", "{}");
    store().settle("same", List.of(new MissionStore.Due("old", 1)), 7);
    List<OldMission> archived = walk(removal(), end(2), 10);
    store().putProgress("put", "old", "{\"count\":2}"); // as who does not know that it is closed
    store().settle("settled", List.of(new MissionStore.Due("old", 1)), 8);
    assertThat(removal().remove(rows(archived))).isOne();
    assertThat(store().progressAfter("", 10).stream().map(RiderProgress::riderId))
        .containsExactlyInAnyOrder("put", "settled");
    OldMission changed = OldMission.itself(new Kept("old", "{}"), end(1));
    assertThat(removal().remove(rows(List.of(changed)))).isZero();
    assertThat(store().missions()).hasSize(1);
  }

  @Test
  void find_hasThoseThatAreThere_alsoInAnotherProcess() throws Exception {
    store().put(mission("old", 1));
    store().put(mission("young", 9));
    store().putProgress("a/b", "old", "{}");
    store().putProgress("a", "young", "{}");
    List<OldMission> all = walk(removal(), end(2), 10);
    List<String> ids = List.of("gone/old", "a/b/old", "a/young", "/old", "/gone", "/young");
    assertThat(removal().find(ids))
        .containsExactly(all.getFirst(), OldMission.itself(mission("old", 1), end(1)));
  }

  @Test
  void missionThatCannotBeRead_isCounted_andStays() throws Exception {
    store().put(new Kept("newer", "[]"));
    store().putProgress("a", "newer", "{}");
    MissionRemoval removal = removal();
    Page<OldMission> page = removal.page("", end(2), 10);
    assertThat(page.unreadable()).isOne();
    assertThat(walk(removal, end(2), 10)).isEmpty();
  }

  @Test
  void erasedRider_hasNoProgressAndNoProfile_andIsInNoList() throws Exception {
    MissionStore store = store();
    String listed = "{\"id\":\"listed\",\"goal\":1,\"riders\":[\"rider-7\"]}";
    assertThat(store.put(new Kept("listed", listed), Mission.FOR_EVER)).isTrue();
    assertThat(store.put(mission("open", 1), end(1))).isTrue();
    for (String rider : List.of("rider-7", "rider-70", "rider-7/8")) {
      for (String id : List.of("listed", "open")) {
        assertThat(store.putProgress(rider, id, "{}", Mission.FOR_EVER)).isNotNull();
      }
      store.putProfile(rider, "{}");
    }
    long revision = store.revision();
    MissionErasure erasure = new MissionErasure(store, rows());
    RiderAlias alias = new RiderAlias("rider-7", "p-abc");
    assertThat(erasure.erase(alias)).isEqualTo(4);
    assertThat(store.progressAfter("", 10))
        .extracting(RiderProgress::riderId)
        .containsExactlyInAnyOrder("rider-70", "rider-70", "rider-7/8", "rider-7/8");
    assertThat(store.profile("rider-7")).isNull();
    assertThat(store.profile("rider-7/8")).isNotNull();
    assertThat(store.missions())
        .extracting(Kept::json)
        .contains(listed.replace("rider-7", "p-abc"))
        .as("a list that is empty would open it to all")
        .noneMatch(json -> json.contains("rider-7"));
    assertThat(store.revision()).as("other nodes read it anew").isNotEqualTo(revision);
    assertThat(erasure.erase(alias)).isZero();
  }
}
