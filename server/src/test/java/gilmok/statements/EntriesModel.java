package gilmok.statements;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Entries in a map, and random operations on it and on a store beside it. */
final class EntriesModel {
  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("Asia/Seoul"), ZoneId.of("Europe/Berlin"), ZoneId.of("Asia/Kathmandu"));
  private static final List<String> CURRENCIES = List.of("KRW", "KRW", "KRW", "USD");
  private static final LocalDate FIRST = LocalDate.parse("2026-03-20");
  private static final int DAYS = 14;
  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::atMillis)
          .thenComparing(
              entry -> entry.id().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private final int seed;
  private final Random random;
  private final Map<String, Entry> entries = new HashMap<>();

  EntriesModel(int seed) {
    this.seed = seed;
    random = new Random(seed);
  }

  void run(EntryStoreContract rig) throws Exception {
    for (int i = 0; i < 60; i++) {
      String name = "seed " + seed + ", operation " + i;
      List<Entry> some = some();
      assertThat(rig.store().add(some)).as(name).isEqualTo(add(some));
      if (i % 5 == 4) {
        Days days = days();
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

  private Added add(List<Entry> all) {
    int accepted = 0;
    List<String> differing = new ArrayList<>();
    for (Entry entry : all) {
      Entry kept = entries.putIfAbsent(entry.id(), entry);
      if (kept == null) {
        accepted++;
      } else if (!kept.equals(entry)) {
        differing.add(entry.id());
      }
    }
    return new Added(accepted, all.size() - accepted, differing);
  }

  private List<Entry> sorted(String rider, Days days) {
    return entries.values().stream()
        .filter(entry -> entry.riderId().equals(rider))
        .filter(entry -> entry.atMillis() >= days.fromMillis())
        .filter(entry -> entry.atMillis() < days.untilMillis())
        .sorted(ORDER)
        .toList();
  }

  private Sums sum(String rider, Days days, String currency) {
    Sums sums = new Sums(days.count());
    for (Entry entry : sorted(rider, days)) {
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

  private void page(EntryStoreContract rig, String rider, Days days, String name) throws Exception {
    List<Entry> expected = sorted(rider, days);
    int from = random.nextInt(expected.size() + 1);
    Entry after = from == 0 ? null : expected.get(from - 1);
    int limit = 1 + random.nextInt(50);
    assertThat(rig.store().page(rider, days.fromMillis(), days.untilMillis(), after, limit))
        .as(name)
        .isEqualTo(expected.subList(from, Math.min(expected.size(), from + limit)));
  }

  private static void same(Sums found, Sums expected, String name) {
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

  private List<Entry> some() {
    List<Entry> some = new ArrayList<>();
    int count = random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(10);
    for (int i = 0; i < count; i++) {
      Entry again = entries.get(id());
      some.add(again == null || random.nextInt(4) > 0 ? entry() : again);
    }
    return some;
  }

  private Entry entry() {
    long begin = FIRST.atStartOfDay(ZoneId.of("UTC")).toInstant().toEpochMilli();
    long millis = DAYS * 86_400_000L;
    long bits = 1L << random.nextInt(41);
    return new Entry(
        id(),
        rider(),
        random.nextInt(3) == 0
            ? begin + random.nextInt(DAYS * 24) * 3_600_000L
            : begin + random.nextLong(millis),
        any(List.of(Kind.values())),
        Math.min(random.nextLong(bits), Entry.AMOUNT_MAX),
        any(CURRENCIES),
        random.nextBoolean() ? null : "delivery-" + random.nextInt(100),
        random.nextInt(3) == 0 ? 0 : random.nextLong(Entry.DISTANCE_MAX + 1));
  }

  private Days days() {
    LocalDate first = FIRST.plusDays(random.nextInt(DAYS));
    return Days.of(first, first.plusDays(random.nextInt(DAYS)), any(ZONES));
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
