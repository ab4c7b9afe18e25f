package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.event.DayRange;
import gilmok.statements.EntryStore.Added;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of all stores of entries. */
abstract class EntryStoreContract {
  private static final ZoneId SEOUL = ZoneId.of("Asia/Seoul");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final DayRange JANUARY = days("2026-01-01", "2026-01-31", SEOUL);
  private static final String KRW = "KRW";
  private static final long NOON = Instant.parse("2026-01-15T03:00:00Z").toEpochMilli();

  /** The store, empty at first. */
  abstract EntryStore store();

  /** Closes the store and opens it again, with what is in it. */
  abstract EntryStore reopened() throws Exception;

  static DayRange days(String first, String last, ZoneId zone) {
    return DayRange.of(LocalDate.parse(first), LocalDate.parse(last), zone);
  }

  static StatementEntry fee(String id, long at, long amount) {
    return new StatementEntry(id, "rider-1", at, EntryKind.FEE, amount, KRW, null, 0);
  }

  private static StatementEntry of(String riderId, StatementEntry entry) {
    return new StatementEntry(
        entry.id(),
        riderId,
        entry.atMillis(),
        entry.kind(),
        entry.amount(),
        entry.currency(),
        entry.deliveryId(),
        entry.distance());
  }

  private static StatementEntry in(String currency, StatementEntry entry) {
    return new StatementEntry(
        entry.id(),
        entry.riderId(),
        entry.atMillis(),
        entry.kind(),
        entry.amount(),
        currency,
        entry.deliveryId(),
        entry.distance());
  }

  private List<StatementEntry> all(String riderId) throws Exception {
    return store().page(riderId, Long.MIN_VALUE, Long.MAX_VALUE, null, EntryStore.ENTRIES_MAX);
  }

  @Test
  void add_keepsEveryField() throws Exception {
    StatementEntry full =
        new StatementEntry(
            "a", "rider-1", NOON, EntryKind.INCENTIVE, 1_500, "USD", "delivery-1", 2_345_678);
    StatementEntry bare =
        new StatementEntry("길목 \u0001", "rider-1", NOON + 1, EntryKind.DEDUCTION, 0, KRW, null, 0);
    assertThat(store().add(List.of(full, bare))).isEqualTo(new Added(2, 0, List.of()));
    assertThat(all("rider-1")).containsExactly(full, bare);
    assertThat(all("rider-2")).isEmpty();
  }

  @Test
  void add_nothing_isNothing() throws Exception {
    assertThat(store().add(List.of())).isEqualTo(new Added(0, 0, List.of()));
  }

  @Test
  void add_again_changesNothing() throws Exception {
    List<StatementEntry> both = List.of(fee("a", NOON, 1), fee("b", NOON, 2));
    store().add(both);
    assertThat(store().add(both)).isEqualTo(new Added(0, 2, List.of()));
    assertThat(store().add(List.of(fee("b", NOON, 2), fee("c", NOON, 4))))
        .isEqualTo(new Added(1, 1, List.of()));
    assertThat(store().sum("rider-1", JANUARY, KRW).fee(14)).isEqualTo(7);
    assertThat(store().sum("rider-1", JANUARY, KRW).count(14)).isEqualTo(3);
  }

  @Test
  void add_theSameIdInOneList_firstWins() throws Exception {
    Added added = store().add(List.of(fee("a", NOON, 1), fee("a", NOON, 1), fee("a", NOON, 3)));
    assertThat(added).isEqualTo(new Added(1, 2, List.of("a")));
    assertThat(all("rider-1")).containsExactly(fee("a", NOON, 1));
    assertThat(store().sum("rider-1", JANUARY, KRW).fee(14)).isEqualTo(1);
  }

  @Test
  void add_differing_isNamedInOrder_andFirstWins() throws Exception {
    StatementEntry first = new StatementEntry("a", "rider-1", NOON, EntryKind.FEE, 1, KRW, "d", 5);
    StatementEntry second = fee("b", NOON, 1);
    store().add(List.of(first, second));
    List<StatementEntry> others =
        List.of(
            of("rider-2", second),
            first,
            new StatementEntry("a", "rider-1", NOON + 1, EntryKind.FEE, 1, KRW, "d", 5),
            new StatementEntry("a", "rider-1", NOON, EntryKind.DEDUCTION, 1, KRW, "d", 5),
            new StatementEntry("a", "rider-1", NOON, EntryKind.FEE, 2, KRW, "d", 5),
            new StatementEntry("a", "rider-1", NOON, EntryKind.FEE, 1, "USD", "d", 5),
            new StatementEntry("a", "rider-1", NOON, EntryKind.FEE, 1, KRW, null, 5),
            new StatementEntry("a", "rider-1", NOON, EntryKind.FEE, 1, KRW, "d", 6));
    assertThat(store().add(others))
        .isEqualTo(new Added(0, 8, List.of("b", "a", "a", "a", "a", "a", "a")));
    assertThat(all("rider-1")).containsExactly(first, second);
    assertThat(all("rider-2")).isEmpty();
    assertThat(store().sum("rider-2", JANUARY, KRW).count(14)).isZero();
  }

  @Test
  void add_asManyAsMayBe_andNotOneMore() throws Exception {
    List<StatementEntry> most =
        IntStream.range(0, EntryStore.ENTRIES_MAX)
            .mapToObj(i -> fee("e" + i, NOON + i, 1))
            .toList();
    assertThat(store().add(most)).isEqualTo(new Added(most.size(), 0, List.of()));
    assertThat(all("rider-1")).isEqualTo(most);
    assertThat(store().sum("rider-1", JANUARY, KRW).fee(14)).isEqualTo(most.size());
    List<StatementEntry> more = new ArrayList<>(most);
    more.add(fee("one more", NOON, 1));
    assertThatThrownBy(() -> store().add(more)).isInstanceOf(IllegalArgumentException.class);
    assertThat(store().sum("rider-1", JANUARY, KRW).fee(14)).isEqualTo(most.size());
  }

  @Test
  void sum_byDayAndKind() throws Exception {
    store()
        .add(
            List.of(
                new StatementEntry("a", "rider-1", NOON, EntryKind.FEE, 4_000, KRW, "d", 1_500_000),
                new StatementEntry(
                    "b", "rider-1", NOON + 1, EntryKind.FEE, 3_500, KRW, "e", 500_001),
                new StatementEntry(
                    "c", "rider-1", NOON + 2, EntryKind.INCENTIVE, 700, KRW, null, 0),
                new StatementEntry(
                    "d", "rider-1", NOON + 3, EntryKind.DEDUCTION, 9_000, KRW, null, 7)));
    DaySums sums = store().sum("rider-1", JANUARY, KRW);
    assertThat(sums.days()).isEqualTo(31);
    for (int day = 0; day < 31; day++) {
      boolean is = day == 14;
      assertThat(sums.count(day)).isEqualTo(is ? 4 : 0);
      assertThat(sums.fee(day)).isEqualTo(is ? 7_500 : 0);
      assertThat(sums.incentive(day)).isEqualTo(is ? 700 : 0);
      assertThat(sums.deduction(day)).isEqualTo(is ? 9_000 : 0);
      assertThat(sums.net(day)).isEqualTo(is ? -800 : 0);
      assertThat(sums.distance(day)).isEqualTo(is ? 2_000_008 : 0);
    }
    assertThat(sums.otherCurrencies()).isEmpty();
  }

  @Test
  void sum_atTheBordersOfDays_alsoWhereClocksChange() throws Exception {
    bordersOf("spring", days("2026-03-27", "2026-03-31", BERLIN));
    bordersOf("autumn", days("2026-10-23", "2026-10-27", BERLIN));
    bordersOf("seoul", days("2025-12-30", "2026-01-02", SEOUL));
    bordersOf("half hours", days("2026-04-03", "2026-04-06", ZoneId.of("Australia/Lord_Howe")));
  }

  private void bordersOf(String rider, DayRange days) throws Exception {
    List<StatementEntry> entries = new ArrayList<>();
    for (int day = 0; day <= days.count(); day++) {
      long begin = days.begin(day);
      entries.add(of(rider, fee(rider + "-before-" + day, begin - 1, 100)));
      entries.add(of(rider, fee(rider + "-at-" + day, begin, 1)));
    }
    store().add(entries);
    DaySums sums = store().sum(rider, days, KRW);
    for (int day = 0; day < days.count(); day++) {
      assertThat(sums.fee(day)).as(rider + ", day " + day).isEqualTo(101);
      assertThat(sums.count(day)).isEqualTo(2);
    }
  }

  @Test
  void sum_otherCurrencies_areLeftOutAndNamed() throws Exception {
    long end = JANUARY.untilMillis();
    store()
        .add(
            List.of(
                fee("a", NOON, 1),
                in("USD", fee("b", NOON, 10)),
                in("EUR", fee("c", NOON, 100)),
                in("EUR", fee("d", NOON, 100)),
                in("JPY", fee("too early", JANUARY.fromMillis() - 1, 1_000)),
                in("GBP", fee("too late", end, 1_000))));
    DaySums sums = store().sum("rider-1", JANUARY, KRW);
    assertThat(sums.fee(14)).isEqualTo(1);
    assertThat(sums.otherCurrencies()).containsExactly("EUR", "USD");
    DaySums euros = store().sum("rider-1", JANUARY, "EUR");
    assertThat(euros.fee(14)).isEqualTo(200);
    assertThat(euros.otherCurrencies()).containsExactly(KRW, "USD");
    store().add(List.of(in("CHF", fee("f", JANUARY.fromMillis(), 1))));
    store().add(List.of(in("CAD", fee("l", end - 1, 1))));
    assertThat(store().sum("rider-1", JANUARY, "XXX").otherCurrencies())
        .containsExactly("CAD", "CHF", "EUR", "KRW", "USD");
  }

  @Test
  void sum_ofTheLargest_isExact() throws Exception {
    List<StatementEntry> entries = new ArrayList<>();
    for (EntryKind kind : EntryKind.values()) {
      for (int i = 0; i < 200; i++) {
        entries.add(
            new StatementEntry(
                kind + "-" + i,
                "rider-1",
                NOON,
                kind,
                StatementEntry.AMOUNT_MAX - i % 2,
                KRW,
                null,
                StatementEntry.DISTANCE_MAX - i % 2));
      }
    }
    store().add(entries);
    DaySums sums = store().sum("rider-1", JANUARY, KRW);
    assertThat(sums.fee(14)).isEqualTo(200 * StatementEntry.AMOUNT_MAX - 100);
    assertThat(sums.incentive(14)).isEqualTo(200 * StatementEntry.AMOUNT_MAX - 100);
    assertThat(sums.deduction(14)).isEqualTo(200 * StatementEntry.AMOUNT_MAX - 100);
    assertThat(sums.distance(14)).isEqualTo(600 * StatementEntry.DISTANCE_MAX - 300);
  }

  @Test
  void unknownRider_hasZerosAndNoEntries() throws Exception {
    store().add(List.of(fee("a", NOON, 1)));
    for (String rider : List.of("nobody", "", "rider-", "rider-11")) {
      DaySums sums = store().sum(rider, JANUARY, KRW);
      for (int day = 0; day < sums.days(); day++) {
        assertThat(sums.count(day)).isZero();
        assertThat(sums.net(day)).isZero();
      }
      assertThat(sums.otherCurrencies()).isEmpty();
      assertThat(all(rider)).isEmpty();
    }
  }

  @Test
  void page_isByTimeThenId_andGoesOn() throws Exception {
    // In UTF-8 order; Java's order of UTF-16 units would swap the last two.
    List<String> ids = List.of("A", "B", "a", "aa", "b", "é", "길", "\uffee", "\ud83d\ude00");
    List<StatementEntry> sorted = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      for (String id : ids) {
        sorted.add(fee(id + i, NOON + i, 1));
      }
    }
    List<StatementEntry> shuffled = new ArrayList<>(sorted);
    java.util.Collections.shuffle(shuffled, new Random(1));
    store().add(shuffled);
    assertThat(all("rider-1")).isEqualTo(sorted);
    for (int limit = 1; limit <= sorted.size() + 1; limit++) {
      List<StatementEntry> read = new ArrayList<>();
      List<StatementEntry> page = page(NOON, NOON + 3, null, limit);
      while (!page.isEmpty()) {
        assertThat(page.size()).isLessThanOrEqualTo(limit);
        read.addAll(page);
        page = page(NOON, NOON + 3, page.getLast(), limit);
      }
      assertThat(read).as("pages of " + limit).isEqualTo(sorted);
    }
    int each = ids.size();
    assertThat(page(NOON + 1, NOON + 2, null, 100)).isEqualTo(sorted.subList(each, 2 * each));
    assertThat(page(NOON + 1, NOON + 2, sorted.getFirst(), 100))
        .as("after one that is before the time")
        .isEqualTo(sorted.subList(each, 2 * each));
    assertThat(page(NOON + 1, NOON + 2, sorted.getLast(), 100)).isEmpty();
    assertThat(page(NOON + 3, NOON + 3, null, 100)).isEmpty();
  }

  private List<StatementEntry> page(
      long from, long until, @Nullable StatementEntry after, int limit) throws Exception {
    return store().page("rider-1", from, until, after, limit);
  }

  @Test
  void page_ofNoSize_isRefused() {
    for (int limit : new int[] {0, -1, EntryStore.ENTRIES_MAX + 1}) {
      assertThatThrownBy(() -> page(0, 1, null, limit))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void reopened_hasAll() throws Exception {
    store().add(List.of(fee("a", NOON, 1), in("USD", fee("b", NOON, 2))));
    assertThat(reopened().sum("rider-1", JANUARY, KRW).fee(14)).isEqualTo(1);
    assertThat(all("rider-1")).hasSize(2);
    assertThat(store().add(List.of(fee("a", NOON, 9)))).isEqualTo(new Added(0, 1, List.of("a")));
    store().add(List.of(fee("c", NOON, 4)));
    assertThat(reopened().sum("rider-1", JANUARY, KRW).fee(14)).isEqualTo(5);
  }

  @Test
  void anyOperations_answerAsTheModel() throws Exception {
    for (int seed = 1; seed <= 4; seed++) {
      new EntriesModel(seed).run(this);
    }
  }

  @Test
  void after_hasAllRiders_byId_inPages() throws Exception {
    StatementEntry last = fee("\ud83d\udef5", NOON, 1);
    List<StatementEntry> all =
        List.of(fee("a", NOON + 5, 1), of("rider-2", fee("b", NOON, 2)), fee("c", 0, 3), last);
    store().add(List.of(all.get(2), all.get(0), last, all.get(1)));
    assertThat(store().after("", 1_000)).isEqualTo(all);
    assertThat(store().after("", 2)).isEqualTo(all.subList(0, 2));
    assertThat(store().after("b", 2)).isEqualTo(all.subList(2, 4));
    assertThat(store().after(last.id(), 2)).isEmpty();
    assertThat(reopened().after("a", 1)).isEqualTo(all.subList(1, 2));
  }
}
