package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.missions.MissionStore.Due;
import gilmok.missions.MissionStore.Kept;
import gilmok.missions.MissionStore.Profile;
import gilmok.missions.MissionStore.Progress;
import gilmok.missions.MissionStore.RiderProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of all stores of missions. */
abstract class MissionStoreContract {
  private static final String RIDER = "rider-1";
  private static final long AT = 1_767_000_000_000L;

  /** In UTF-8 order; Java's order of UTF-16 units would swap the last two. */
  private static final List<String> ODD_IDS =
      List.of(
          "#changes",
          "$set",
          "'; DROP TABLE missions; --",
          ".",
          "..",
          "?1",
          "[\"a\"]",
          "\\",
          "\\u0041",
          "_id",
          "a",
          "a b",
          "a\"b",
          "a$b",
          "a.b",
          "x".repeat(64),
          "{}",
          "길목",
          "\uffee",
          "\ud83d\udef5");

  /** A rider's id may be longer than a mission's, and may contain a slash. */
  private static final List<String> ODD_RIDERS =
      List.of("", "/", "a/b", "a/", "r".repeat(128), "\ud83d\udef5".repeat(64), "null");

  /** The store, empty at first. */
  abstract MissionStore store();

  /** Closes the store and opens it again, with what is in it. */
  abstract MissionStore reopened() throws Exception;

  private static Kept mission(String id, String text) {
    return new Kept(id, "{\"text\":\"" + text + "\"}");
  }

  private static String count(long count) {
    return "{\"count\":" + count + "}";
  }

  private List<Progress> progress(String riderId, String... missionIds) throws Exception {
    return store().progress(riderId, List.of(missionIds));
  }

  private static Due due(Progress progress) {
    return new Due(progress.missionId(), progress.version());
  }

  @Test
  void missions_areListedById_asTheyWerePutLast() throws Exception {
    assertThat(store().missions()).isEmpty();
    store().put(mission("b", "2"));
    store().put(mission("a", "1"));
    store().put(mission("c", "3"));
    store().put(mission("b", "4"));
    assertThat(store().missions())
        .containsExactly(mission("a", "1"), mission("b", "4"), mission("c", "3"));
  }

  @Test
  void text_isKeptToTheLetter() throws Exception {
    String json =
        "{\"b\":1.0,\"a\":1e400,\"b\":12345678901234567890,\"$set\":{\"x.y\":null},"
            + "\"t\":\"길목 \ud83d\udef5 \\u0000 \\ud800 '\"}";
    store().put(new Kept("m", json));
    store().putProfile(RIDER, json);
    assertThat(store().putProgress(RIDER, "m", json)).isEqualTo(new Progress("m", json, 1, 0));
    assertThat(store().missions()).containsExactly(new Kept("m", json));
    assertThat(store().profile(RIDER)).isEqualTo(json);
    assertThat(progress(RIDER, "m")).containsExactly(new Progress("m", json, 1, 0));
  }

  @Test
  void largeTexts_areKept() throws Exception {
    String json = "{\"text\":\"" + "길".repeat(300_000) + "\"}";
    for (int i = 0; i < 3; i++) {
      store().put(new Kept("m" + i, json));
      store().putProgress(RIDER, "m" + i, json);
    }
    assertThat(store().missions()).hasSize(3).allMatch(kept -> kept.json().equals(json));
    assertThat(progress(RIDER, "m0", "m1", "m2")).allMatch(one -> one.json().equals(json));
  }

  @Test
  void revision_isAnotherAfterEachPut_alsoOfTheSame() throws Exception {
    List<Long> revisions = new ArrayList<>();
    revisions.add(store().revision());
    for (String text : List.of("1", "1", "2")) {
      store().put(mission("a", text));
      revisions.add(store().revision());
    }
    assertThat(revisions).doesNotHaveDuplicates();
    store().putProgress(RIDER, "a", count(1));
    store().settle(RIDER, List.of(new Due("a", 1)), AT);
    store().putProfile(RIDER, "{}");
    assertThat(store().revision()).isEqualTo(revisions.getLast());
  }

  @Test
  void missionsPutAtOnce_areAllThere_andAllCounted() throws Exception {
    Set<String> names = ConcurrentHashMap.newKeySet();
    long before = store().revision();
    AtOnce.run(
        12,
        () -> {
          String name = "m" + names.size() % 3;
          names.add(Thread.currentThread().toString());
          store().put(mission(name, "x"));
          store().put(mission("same", "x"));
          return name;
        });
    assertThat(store().missions()).contains(mission("same", "x")).hasSizeBetween(2, 4);
    assertThat(store().revision() - before).isEqualTo(24);
  }

  @Test
  void progress_isOfThoseAsked_andOfThatRider() throws Exception {
    store().putProgress(RIDER, "a", count(1));
    store().putProgress(RIDER, "b", count(2));
    store().putProgress("rider-2", "a", count(3));
    store().putProgress("rider-11", "c", count(4));
    assertThat(progress(RIDER, "b", "a", "none", "c"))
        .containsExactlyInAnyOrder(
            new Progress("a", count(1), 1, 0), new Progress("b", count(2), 1, 0));
    assertThat(progress("rider-2", "a", "b")).containsExactly(new Progress("a", count(3), 1, 0));
    assertThat(progress("nobody", "a")).isEmpty();
    assertThat(progress(RIDER)).isEmpty();
    assertThat(progress(RIDER, "a", "a", "a")).containsExactly(new Progress("a", count(1), 1, 0));
  }

  @Test
  void putProgress_replaces_andCounts() throws Exception {
    for (int version = 1; version <= 3; version++) {
      assertThat(store().putProgress(RIDER, "a", count(7 * version)))
          .isEqualTo(new Progress("a", count(7 * version), version, 0));
    }
    assertThat(progress(RIDER, "a")).containsExactly(new Progress("a", count(21), 3, 0));
  }

  @Test
  void oddIds_areIdsLikeOthers() throws Exception {
    for (String id : ODD_IDS.reversed()) {
      store().put(mission(id, "x"));
    }
    assertThat(store().missions().stream().map(Kept::id)).containsExactlyElementsOf(ODD_IDS);
    assertThat(store().revision()).isEqualTo(ODD_IDS.size());
    for (String rider : ODD_RIDERS) {
      for (String id : List.of("a", "길목")) {
        store().putProgress(rider, id, "{\"of\":" + rider.length() + "}");
      }
    }
    for (String rider : ODD_RIDERS) {
      String json = "{\"of\":" + rider.length() + "}";
      assertThat(store().progress(rider, ODD_IDS))
          .as(rider)
          .containsExactlyInAnyOrder(new Progress("a", json, 1, 0), new Progress("길목", json, 1, 0));
      assertThat(store().profile(rider)).isNull();
      store().putProfile(rider, json);
      assertThat(store().profile(rider)).isEqualTo(json);
    }
    List<Due> all = new ArrayList<>();
    for (String id : ODD_IDS) {
      all.add(due(store().putProgress("o'rider", id, count(1))));
    }
    assertThat(store().settle("o'rider", all, AT)).isEqualTo(ODD_IDS.size());
    assertThat(store().progress("o'rider", ODD_IDS))
        .hasSize(ODD_IDS.size())
        .allMatch(one -> one.settledAt() == AT);
  }

  @Test
  void asManyAsMayBe_atOnce_andNotOneMore() throws Exception {
    List<String> ids =
        IntStream.range(0, MissionStore.MISSIONS_MAX).mapToObj(i -> "mission-" + i).toList();
    List<Due> all = new ArrayList<>();
    for (int i = 0; i < ids.size(); i += 2) {
      all.add(due(store().putProgress(RIDER, ids.get(i), count(i))));
    }
    assertThat(store().progress(RIDER, ids).stream().map(MissionStoreContract::due))
        .containsExactlyInAnyOrderElementsOf(all);
    for (int i = 1; i < ids.size(); i += 2) {
      all.add(new Due(ids.get(i), 1));
    }
    assertThat(store().settle(RIDER, all, AT)).isEqualTo(ids.size() / 2);
    assertThat(store().progress(RIDER, ids)).allMatch(one -> one.settledAt() == AT);
    all.add(all.getFirst());
    List<String> more = new ArrayList<>(ids);
    more.add("one more");
    assertThatThrownBy(() -> store().progress(RIDER, more))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store().settle(RIDER, all, AT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void settle_isOnce_andOnlyWhatWasLookedAt() throws Exception {
    Progress same = store().putProgress(RIDER, "same", count(1));
    Progress old = store().putProgress(RIDER, "changed", count(1));
    store().putProgress(RIDER, "changed", count(2));
    Progress others = store().putProgress("rider-2", "others", count(1));
    List<Due> due = List.of(due(same), due(old), due(others), new Due("none", 1), due(same));
    assertThat(store().settle(RIDER, due, AT)).isEqualTo(1);
    assertThat(store().settle(RIDER, due, AT + 1)).isZero();
    assertThat(progress(RIDER, "same", "changed", "others", "none"))
        .containsExactlyInAnyOrder(
            new Progress("same", count(1), 1, AT), new Progress("changed", count(2), 2, 0));
    assertThat(progress("rider-2", "others")).containsExactly(others);
    assertThat(store().settle(RIDER, List.of(), AT)).isZero();
    assertThatThrownBy(() -> store().settle(RIDER, due, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatWasSettled_staysSo() throws Exception {
    store().settle(RIDER, List.of(due(store().putProgress(RIDER, "a", count(1)))), AT);
    Progress after = store().putProgress(RIDER, "a", count(2));
    assertThat(after).isEqualTo(new Progress("a", count(2), 2, AT));
    assertThat(store().settle(RIDER, List.of(due(after)), AT + 1)).isZero();
    assertThat(progress(RIDER, "a")).containsExactly(after);
  }

  @Test
  void putsOfOneProgress_atOnce_areCountedOneByOne() throws Exception {
    for (int round = 0; round < 5; round++) {
      String mission = "m" + round;
      int threads = 16;
      List<Progress> all =
          AtOnce.run(
              threads,
              () -> store().putProgress(RIDER, mission, count(Thread.currentThread().threadId())));
      assertThat(all.stream().map(Progress::version))
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, threads).boxed().toList());
      Progress last =
          all.stream().filter(one -> one.version() == threads).findFirst().orElseThrow();
      assertThat(progress(RIDER, mission)).containsExactly(last);
    }
  }

  @Test
  void profilesPutAtOnce_oneIsThere() throws Exception {
    List<String> all =
        AtOnce.run(
            12,
            () -> {
              String json = count(Thread.currentThread().threadId());
              store().putProfile(RIDER, json);
              return json;
            });
    assertThat(all).contains(store().profile(RIDER));
  }

  @Test
  void settling_atOnce_isOnce() throws Exception {
    List<Due> due = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      due.add(due(store().putProgress(RIDER, "m" + i, count(i))));
    }
    List<Integer> settled = AtOnce.run(6, () -> store().settle(RIDER, due, AT));
    assertThat(settled.stream().mapToInt(one -> one).sum()).isEqualTo(20);
  }

  /**
   * A settlement names the version that it saw, here 1. If a put has changed that since, the
   * settlement must do nothing.
   */
  @Test
  void settling_besideAPut_settlesWhatWasLookedAtOrNothing() throws Exception {
    int settledFirst = 0;
    for (int round = 0; round < 20; round++) {
      String mission = "m" + round;
      List<Due> due = List.of(due(store().putProgress(RIDER, mission, count(10))));
      List<Object> both = new ArrayList<>();
      Set<String> roles = ConcurrentHashMap.newKeySet();
      both.addAll(
          AtOnce.run(
              2,
              () ->
                  roles.add("put")
                      ? store().putProgress(RIDER, mission, count(3))
                      : (Object) store().settle(RIDER, due, AT)));
      Progress put =
          both.stream()
              .filter(Progress.class::isInstance)
              .map(Progress.class::cast)
              .findFirst()
              .orElseThrow();
      int settled = both.contains(1) ? 1 : 0;
      settledFirst += settled;
      assertThat(put).isEqualTo(new Progress(mission, count(3), 2, settled == 1 ? AT : 0));
      assertThat(progress(RIDER, mission)).containsExactly(put);
    }
    assertThat(settledFirst).isBetween(0, 20);
  }

  @Test
  void profile_isNoneAtFirst_thenThatWhichWasPutLast() throws Exception {
    assertThat(store().profile(RIDER)).isNull();
    store().putProfile(RIDER, "{\"a\":1}");
    store().putProfile("rider-2", "{\"b\":1}");
    store().putProfile(RIDER, "{\"a\":2}");
    assertThat(store().profile(RIDER)).isEqualTo("{\"a\":2}");
    assertThat(store().profile("rider-2")).isEqualTo("{\"b\":1}");
  }

  @Test
  void reopened_hasAll() throws Exception {
    store().put(mission("a", "1"));
    long revision = store().revision();
    Progress one = store().putProgress(RIDER, "a", count(1));
    Progress two = store().putProgress(RIDER, "b", count(2));
    store().settle(RIDER, List.of(due(one)), AT);
    store().putProfile(RIDER, "{\"a\":1}");
    MissionStore again = reopened();
    assertThat(again.missions()).containsExactly(mission("a", "1"));
    assertThat(again.revision()).isEqualTo(revision);
    assertThat(again.progress(RIDER, List.of("a", "b")))
        .containsExactlyInAnyOrder(new Progress("a", count(1), 1, AT), two);
    assertThat(again.profile(RIDER)).isEqualTo("{\"a\":1}");
    again.put(mission("a", "2"));
    assertThat(again.revision()).isNotEqualTo(revision);
    assertThat(again.putProgress(RIDER, "a", count(9)))
        .isEqualTo(new Progress("a", count(9), 2, AT));
    assertThat(again.settle(RIDER, List.of(due(one), due(two)), AT + 1)).isEqualTo(1);
  }

  @Test
  void restore_keepsWhatIsThere_andAllIsReadInPages() throws Exception {
    store().putProgress("r/1", "a", count(1));
    RiderProgress settled = new RiderProgress("r/1", new Progress("b", count(2), 1, AT));
    RiderProgress open = new RiderProgress("r2", new Progress("a", count(3), 1, 0));
    RiderProgress other = new RiderProgress("r/1", new Progress("a", count(9), 1, 0));
    assertThat(store().restore(List.of(settled, other, open), Mission.FOR_EVER))
        .containsExactly(
            Optional.empty(),
            Optional.of(new RiderProgress("r/1", new Progress("a", count(1), 1, 0))),
            Optional.empty());
    assertThat(store().restore(List.of(settled), Mission.FOR_EVER))
        .containsExactly(Optional.of(settled));
    assertThat(progress("r/1", "b")).containsExactly(settled.progress());
    List<RiderProgress> all = reopened().progressAfter("", 10);
    assertThat(all).hasSize(3).contains(settled, open);
    assertThat(store().progressAfter(all.getFirst().cursor(), 1)).isEqualTo(all.subList(1, 2));
    assertThat(store().progressAfter(all.getLast().cursor(), 1)).isEmpty();
    assertThat(store().settle("r2", List.of(due(open.progress())), AT)).isEqualTo(1);
  }

  @Test
  void restoreProfiles_keepsWhatIsThere() throws Exception {
    store().putProfile("a", "{\"n\":1}");
    Profile a = new Profile("a", "{\"n\":1}");
    Profile b = new Profile("b", "{\"n\":2}");
    assertThat(store().restoreProfiles(List.of(new Profile("a", "{\"n\":9}"), b)))
        .containsExactly(Optional.of(a), Optional.empty());
    assertThat(store().profilesAfter("", 10)).containsExactly(a, b);
    assertThat(store().profilesAfter("a", 10)).containsExactly(b);
  }
}
