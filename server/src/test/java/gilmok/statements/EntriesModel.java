package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.DayRange;
import gilmok.statements.EntryStore.Added;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;

/** The model of a store of entries, a map, and random operations on both of them. */
final class EntriesModel {
  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("Asia/Seoul"), ZoneId.of("Europe/Berlin"), ZoneId.of("Asia/Kathmandu"));
  private static final List<String> CURRENCIES = List.of("KRW", "KRW", "KRW", "USD");
  private static final LocalDate FIRST = LocalDate.parse("2026-03-20");
  private static final int DAYS = 14;
  private static final Comparator<StatementEntry> ORDER =
      Comparator.comparingLong(StatementEntry::atMillis)
          .thenComparing(
              entry -> entry.id().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final int seed;
  private final Random random;
  private final Map<String, StatementEntry> entries = new HashMap<>();

  EntriesModel(int seed) {
    this.seed = seed;
    random = new Random(seed);
  }

  void run(EntryStoreContract rig) throws Exception {
    for (int i = 0; i < 60; i++) {
      String name = "seed " + seed + ", operation " + i;
      List<StatementEntry> some = some();
      assertThat(rig.store().add(some)).as(name).isEqualTo(add(some));
      if (i % 5 == 4) {
        DayRange days = days();
        String rider = rider();
        String currency = any(CURRENCIES);
        same(rig.store().sum(rider, days, currency), sum(rider, days, currency), name);
        page(rig, rider, days, name);
      }
      if (i % 20 == 19) {
        rig.reopened();
      }
    }
  }

  private Added add(List<StatementEntry> all) {
    int accepted = 0;
    List<String> differing = new ArrayList<>();
    for (StatementEntry entry : all) {
      StatementEntry kept = entries.putIfAbsent(entry.id(), entry);
      if (kept == null) {
        accepted++;
      } else if (!kept.equals(entry)) {
        differing.add(entry.id());
      }
    }
    return new Added(accepted, all.size() - accepted, differing);
  }

  private List<StatementEntry> sorted(String rider, DayRange days) {
    return entries.values().stream()
        .filter(entry -> entry.riderId().equals(rider))
        .filter(entry -> entry.atMillis() >= days.fromMillis())
        .filter(entry -> entry.atMillis() < days.untilMillis())
        .sorted(ORDER)
        .toList();
  }

  private DaySums sum(String rider, DayRange days, String currency) {
    DaySums sums = new DaySums(days.count());
    for (StatementEntry entry : sorted(rider, days)) {
      if (entry.currency().equals(currency)) {
        int day = 0;
        while (days.begin(day + 1) <= entry.atMillis()) {
          day++;
        }
        sums.add(day, entry.kind(), entry.amount(), entry.distance());
      } else {
        sums.leaveOut(entry.currency());
      }
    }
    return sums;
  }

  private void page(EntryStoreContract rig, String rider, DayRange days, String name)
      throws Exception {
    List<StatementEntry> expected = sorted(rider, days);
    int from = random.nextInt(expected.size() + 1);
    StatementEntry after = from == 0 ? null : expected.get(from - 1);
    int limit = 1 + random.nextInt(50);
    assertThat(rig.store().page(rider, days.fromMillis(), days.untilMillis(), after, limit))
        .as(name)
        .isEqualTo(expected.subList(from, Math.min(expected.size(), from + limit)));
  }

  private static void same(DaySums found, DaySums expected, String name) {
    assertThat(found.days()).isEqualTo(expected.days());
    for (int day = 0; day < expected.days(); day++) {
      String which = name + ", day " + day;
      assertThat(found.count(day)).as(which).isEqualTo(expected.count(day));
      assertThat(found.fee(day)).as(which).isEqualTo(expected.fee(day));
      assertThat(found.incentive(day)).as(which).isEqualTo(expected.incentive(day));
      assertThat(found.deduction(day)).as(which).isEqualTo(expected.deduction(day));
      assertThat(found.distance(day)).as(which).isEqualTo(expected.distance(day));
    }
    assertThat(found.otherCurrencies())
        .as(name)
        .isEqualTo(new TreeSet<>(expected.otherCurrencies()));
  }

  private List<StatementEntry> some() {
    List<StatementEntry> some = new ArrayList<>();
    int count = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(10);
    for (int i = 0; i < count; i++) {
      StatementEntry again = entries.get(id());
      some.add(again == null || random.nextInt(4) > 0 ? entry() : again);
    }
    return some;
  }

  private StatementEntry entry() {
    long begin = FIRST.atStartOfDay(ZoneId.of("UTC")).toInstant().toEpochMilli();
    long millis = DAYS * 86_400_000L;
    long bits = 1L << random.nextInt(41);
    return new StatementEntry(
        id(),
        rider(),
        random.nextInt(3) == 0
            ? begin + random.nextInt(DAYS * 24) * 3_600_000L
            : begin + random.nextLong(millis),
        any(List.of(EntryKind.values())),
        Math.min(random.nextLong(bits), StatementEntry.AMOUNT_MAX),
        any(CURRENCIES),
        random.nextBoolean() ? null : "delivery-" + random.nextInt(100),
        random.nextInt(3) == 0 ? 0 : random.nextLong(StatementEntry.DISTANCE_MAX + 1));
  }

  private DayRange days() {
    LocalDate first = FIRST.plusDays(random.nextInt(DAYS));
    return DayRange.of(first, first.plusDays(random.nextInt(DAYS)), any(ZONES));
  }

  private String id() {
    return "entry-" + random.nextInt(2_000) + seed;
  }

  private String rider() {
    return "seed-" + seed + "-rider-" + random.nextInt(3);
  }

  private <T> T any(List<T> all) {
    return Objects.requireNonNull(all.get(random.nextInt(all.size())));
  }
}
