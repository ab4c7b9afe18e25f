package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.DayRange;
import gilmok.event.RiderAlias;
import gilmok.retention.DocumentRemoval.Page;
import gilmok.retention.RemovalPlan;
import gilmok.statements.EntryStore.Added;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of taking entries out of a store, whatever stores them. */
abstract class EntryRemovalContract {
  static final long DAY = 86_400_000L;

  /** Midnight, UTC. */
  static final long BEGIN = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  abstract EntryStore store() throws Exception;

  abstract EntryRemoval removal() throws Exception;

  /** Puts a pseudonym in a rider's place; returns in how many entries. */
  abstract long rename(RiderAlias alias) throws Exception;

  static StatementEntry entry(String id, String rider, long at) {
    return new StatementEntry(id, rider, at, EntryKind.FEE, 100, "KRW", null, 0);
  }

  private List<StatementEntry> walk(long before, int limit) throws Exception {
    List<StatementEntry> all = new ArrayList<>();
    Page<StatementEntry> page = removal().page("", before, limit);
    while (page.last() != null) {
      assertThat(page.rows().size()).isLessThanOrEqualTo(limit);
      all.addAll(page.rows());
      page = removal().page(page.last(), before, limit);
    }
    assertThat(page.rows()).isEmpty();
    return all;
  }

  private static RemovalPlan.Row row(StatementEntry entry) {
    return new RemovalPlan.Row(entry.id(), 0);
  }

  private void plan(long latest, StatementEntry... entries) throws Exception {
    List<RemovalPlan.Row> rows = new ArrayList<>();
    for (StatementEntry one : entries) {
      rows.add(row(one));
    }
    RemovalPlan plan = RemovalPlan.of("a-b", rows);
    removal().plans().put(plan, removal().removedTo(plan, latest));
  }

  @Test
  void page_hasTheOldOfAllRiders_inPagesOfAnySize() throws Exception {
    List<StatementEntry> old = new ArrayList<>();
    for (String rider : List.of("a", "a b", "b", "길목 7")) {
      for (int i = 0; i < 3; i++) {
        old.add(entry(rider + "/ " + i + "a", rider, BEGIN + i * DAY));
        old.add(entry(rider + "/ " + i + "b", rider, BEGIN + i * DAY));
      }
    }
    store().add(old);
    store().add(List.of(entry("young", "a", BEGIN + 3 * DAY), entry("new", "c", BEGIN + 9 * DAY)));
    long before = BEGIN + 4 * DAY + DAY / 2;
    for (int limit : new int[] {1, 2, 5, 100}) {
      assertThat(walk(before, limit)).as("pages of " + limit).isEqualTo(old);
    }
    assertThat(walk(before - DAY, 100)).as("whole UTC days, and one more stays").hasSize(16);
    assertThat(walk(BEGIN, 100)).isEmpty();
  }

  @Test
  void find_hasThoseThatAreThere() throws Exception {
    StatementEntry one = entry("길 1", "a", BEGIN);
    store().add(List.of(one));
    assertThat(removal().find(List.of("gone", one.id()))).containsExactly(one);
  }

  @Test
  void planned_nothingOfThoseDaysIsAdded_newOrNot() throws Exception {
    StatementEntry old = entry("old", "a", BEGIN + 5);
    StatementEntry young = entry("young", "a", BEGIN + DAY);
    store().add(List.of(old, young));
    assertThat(store().keptFromMillis()).isZero();
    plan(old.atMillis(), old);
    StatementEntry late = entry("late", "b", BEGIN + DAY - 1);
    StatementEntry fresh = entry("fresh", "b", BEGIN + DAY);
    assertThat(store().add(List.of(late, old, young, fresh)))
        .isEqualTo(new Added(1, 1, List.of(), List.of("late", "old")));
    assertThat(store().add(List.of(late))).isEqualTo(new Added(0, 0, List.of(), List.of("late")));
    assertThat(store().after("", 10)).containsExactly(fresh, old, young);
    awaitKept(BEGIN + DAY);
    assertThat(removal().remove(List.of(row(old)))).isOne();
    assertThat(store().add(List.of(old)).tooOld()).as("a replay").containsExactly("old");
    assertThat(store().after("", 10)).containsExactly(fresh, young);
  }

  /** Nodes go by what they have read for a second; nothing is removed before. */
  private void awaitKept(long fromMillis) throws Exception {
    long until = System.nanoTime() + removal().settleNanos();
    while (store().keptFromMillis() != fromMillis && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(store().keptFromMillis()).isEqualTo(fromMillis);
  }

  @Test
  void removed_isNowhere_andTheOtherDaysAreAsTheyWere() throws Exception {
    StatementEntry one = entry("one", "a", BEGIN + 1);
    StatementEntry other = entry("other", "a", BEGIN + 2);
    StatementEntry next = entry("next", "a", BEGIN + DAY);
    StatementEntry ofB = entry("ofB", "b", BEGIN + 1);
    store().add(List.of(one, other, next, ofB));
    assertThat(removal().remove(List.of(row(one), row(other)))).isEqualTo(2);
    assertThat(removal().remove(List.of(row(one)))).as("once more").isZero();
    assertThat(store().after("", 10)).containsExactly(next, ofB);
    DayRange days =
        DayRange.of(LocalDate.parse("2026-01-01"), LocalDate.parse("2026-01-02"), ZoneOffset.UTC);
    assertThat(store().sum("a", days, "KRW").count(0)).isZero();
    assertThat(store().sum("a", days, "KRW").fee(1)).isEqualTo(100);
    assertThat(store().sum("b", days, "KRW").fee(0)).isEqualTo(100);
  }

  @Test
  void howFar_neverGoesBack() throws Exception {
    StatementEntry any = entry("any", "a", BEGIN);
    plan(BEGIN + 3 * DAY, any);
    plan(BEGIN, any);
    assertThat(EntryRemoval.millis(removal().plans().removedTo())).isEqualTo(BEGIN + 4 * DAY);
    removal().plans().forget();
    assertThat(removal().plans().plan()).isNull();
    assertThat(EntryRemoval.millis(removal().plans().removedTo())).isEqualTo(BEGIN + 4 * DAY);
  }

  private DaySums sums(String rider) throws Exception {
    return store()
        .sum(
            rider,
            DayRange.of(
                LocalDate.EPOCH.plusDays(BEGIN / DAY),
                LocalDate.EPOCH.plusDays(BEGIN / DAY + 9),
                ZoneOffset.UTC),
            "KRW");
  }

  @Test
  void renamed_addUpToTheSame_underThePseudonym_andOthersStay() throws Exception {
    RiderAlias alias = new RiderAlias("rider-1", "p-abc");
    List<StatementEntry> all = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      all.add(entry("e" + i, "rider-1", BEGIN + i * DAY / 100));
    }
    store().add(all);
    store().add(List.of(entry("other", "rider-11", BEGIN)));
    DaySums before = sums("rider-1");
    DaySums others = sums("rider-11");
    assertThat(rename(alias)).isEqualTo(250);
    assertThat(sums("p-abc")).usingRecursiveComparison().isEqualTo(before);
    assertThat(sums("rider-11")).usingRecursiveComparison().isEqualTo(others);
    assertThat(sums("rider-1").count(0)).isZero();
    assertThat(store().page("rider-1", BEGIN, BEGIN + 9 * DAY, null, 10)).isEmpty();
    assertThat(store().page("p-abc", BEGIN, BEGIN + 9 * DAY, null, 1_000)).hasSize(250);
    assertThat(rename(alias)).as("once more").isZero();
  }

  @Test
  void renamedTwice_asTheRiderCameBack_addUp() throws Exception {
    RiderAlias alias = new RiderAlias("rider-1", "p-abc");
    store().add(List.of(entry("a", "rider-1", BEGIN)));
    assertThat(rename(alias)).isOne();
    store().add(List.of(entry("b", "rider-1", BEGIN), entry("c", "rider-1", BEGIN + DAY)));
    assertThat(rename(alias)).isEqualTo(2);
    assertThat(sums("p-abc").count(0)).isEqualTo(2);
    assertThat(sums("p-abc").count(1)).isOne();
  }
}
