package gilmok.statements;

import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.event.DayRange;
import gilmok.observe.Meters;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures what a month's sums cost a thread, as the store makes them and in other ways over its
 * rows, and what adding costs. Prints the best of some rounds in which the ways take turns.
 * Arguments: entries per rider, riders.
 */
final class SqliteEntriesSpeed {
  private static final DayRange DAYS =
      DayRange.of(
          LocalDate.parse("2026-01-01"), LocalDate.parse("2026-01-31"), ZoneId.of("Asia/Seoul"));
  private static final String OF_RIDER = " FROM entries WHERE rider_id = ? AND at >= ? AND at < ?";
  private static final String SUMS =
      "count(*), sum(currency = 'KRW'), sum(amount) FILTER (WHERE kind = 'fee'),"
          + " sum(amount) FILTER (WHERE kind = 'incentive'), sum(amount), sum(distance)";
  private static final int ROUNDS = 8;
  private static final int TIMES = 200;

  private SqliteEntriesSpeed() {}

  private interface Way {
    long total(int rider) throws Exception;
  }

  private interface Reading {
    long total(SqliteSession session, String rider) throws SQLException;
  }

  public static void main(String[] args) throws Exception {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 2_000;
    int riders = args.length > 1 ? Integer.parseInt(args[1]) : 50;
    Path folder = Files.createTempDirectory("entries-speed");
    try (Meters meters = new Meters();
        SqliteDatabase database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters)) {
      SqliteEntries store = new SqliteEntries(database);
      fill(store, count, riders);
      Map<String, Way> ways = new LinkedHashMap<>();
      ways.put("the store: packed by day", rider -> total(store.sum(name(rider), DAYS, "KRW")));
      add(ways, database, "rows to Java", SqliteEntriesSpeed::rows);
      add(ways, database, "a statement a day, GROUP BY kind, currency", byDayAndKind());
      add(ways, database, "a statement a day, filtered sums", byDay());
      add(ways, database, "one statement, joined with the days", joined());
      Map<String, Double> best = new LinkedHashMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (Map.Entry<String, Way> way : ways.entrySet()) {
          best.merge(way.getKey(), micros(way.getValue(), riders), Math::min);
        }
      }
      for (Map.Entry<String, Way> way : ways.entrySet()) {
        double micros = best.getOrDefault(way.getKey(), 0.0);
        long total = way.getValue().total(7 % riders);
        System.out.printf("%8.1f us  %s (adds up to %,d)%n", micros, way.getKey(), total);
      }
      System.out.printf("file %,d bytes%n", Files.size(folder.resolve(SqliteDatabase.FILE)));
    }
  }

  private static void add(
      Map<String, Way> ways, SqliteDatabase database, String name, Reading way) {
    ways.put(name, rider -> database.<Long>read(session -> way.total(session, name(rider))));
  }

  private static double micros(Way way, int riders) throws Exception {
    var threads = ManagementFactory.getThreadMXBean();
    long began = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < TIMES; i++) {
      way.total(i % riders);
    }
    return (threads.getCurrentThreadCpuTime() - began) / 1e3 / TIMES;
  }

  private static void fill(SqliteEntries store, int count, int riders) throws Exception {
    Random random = new Random(1);
    long began = System.nanoTime();
    for (int rider = 0; rider < riders; rider++) {
      List<StatementEntry> some = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        some.add(entry(random, name(rider), rider + ":" + i));
        if (some.size() == EntryStore.ENTRIES_MAX || i == count - 1) {
          store.add(some);
          some.clear();
        }
      }
    }
    double micros = (System.nanoTime() - began) / 1e3 / count / riders;
    System.out.printf(
        "%,d entries of each of %d riders, %.1f us each to add%n", count, riders, micros);
  }

  private static StatementEntry entry(Random random, String rider, String number) {
    EntryKind kind =
        switch (random.nextInt(10)) {
          case 0 -> EntryKind.DEDUCTION;
          case 1, 2 -> EntryKind.INCENTIVE;
          default -> EntryKind.FEE;
        };
    long span = DAYS.untilMillis() - DAYS.fromMillis();
    String delivery = "01kc%022x".formatted(random.nextLong());
    return new StatementEntry(
        "delivery:" + delivery + ":" + number,
        rider,
        DAYS.fromMillis() + random.nextLong(span),
        kind,
        2_500 + 100L * random.nextInt(60),
        "KRW",
        delivery,
        kind == EntryKind.FEE ? 300_000 + random.nextInt(6_000_000) : 0);
  }

  private static String name(int rider) {
    return "rider-" + (100_000 + rider);
  }

  private static long total(DaySums sums) {
    long total = 0;
    for (int day = 0; day < sums.days(); day++) {
      total += sums.fee(day) + sums.incentive(day) + sums.deduction(day) + sums.distance(day);
    }
    return total;
  }

  private static long rows(SqliteSession session, String rider) throws SQLException {
    PreparedStatement select =
        session.prepare("SELECT at, kind, amount, currency, distance" + OF_RIDER);
    select.setString(1, rider);
    select.setLong(2, DAYS.fromMillis());
    select.setLong(3, DAYS.untilMillis());
    DaySums sums = new DaySums(DAYS.count());
    int day = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        day = DAYS.dayOf(rows.getLong(1), day);
        EntryKind kind = EntryKind.ofLabel(rows.getString(2));
        if (kind != null && rows.getString(4).equals("KRW")) {
          sums.add(day, kind, rows.getLong(3), rows.getLong(5));
        }
      }
    }
    return total(sums);
  }

  private static Reading byDayAndKind() {
    String sql =
        "SELECT kind, currency, count(*), sum(amount), sum(distance)"
            + OF_RIDER
            + " GROUP BY kind, currency";
    return (session, rider) -> {
      PreparedStatement select = session.prepare(sql);
      select.setString(1, rider);
      long total = 0;
      for (int day = 0; day < DAYS.count(); day++) {
        select.setLong(2, DAYS.begin(day));
        select.setLong(3, DAYS.begin(day + 1));
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            boolean is = rows.getString(2).equals("KRW") && !rows.getString(1).isEmpty();
            total += is && rows.getInt(3) > 0 ? rows.getLong(4) + rows.getLong(5) : 0;
          }
        }
      }
      return total;
    };
  }

  private static Reading byDay() {
    return (session, rider) -> {
      PreparedStatement select = session.prepare("SELECT " + SUMS + OF_RIDER);
      select.setString(1, rider);
      long total = 0;
      for (int day = 0; day < DAYS.count(); day++) {
        select.setLong(2, DAYS.begin(day));
        select.setLong(3, DAYS.begin(day + 1));
        total += filtered(select, 1);
      }
      return total;
    };
  }

  private static Reading joined() {
    String sql =
        "SELECT d.key, "
            + SUMS
            + " FROM json_each(?2) d CROSS JOIN entries"
            + " WHERE rider_id = ?1 AND at >= d.value->>0 AND at < d.value->>1 GROUP BY d.id";
    String days =
        IntStream.range(0, DAYS.count())
            .mapToObj(day -> "[" + DAYS.begin(day) + "," + DAYS.begin(day + 1) + "]")
            .collect(Collectors.joining(",", "[", "]"));
    return (session, rider) -> {
      PreparedStatement select = session.prepare(sql);
      select.setString(1, rider);
      select.setString(2, days);
      return filtered(select, 2);
    };
  }

  private static long filtered(PreparedStatement select, int column) throws SQLException {
    long total = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        boolean isAll = rows.getInt(column) == rows.getInt(column + 1);
        boolean isSome = rows.getLong(column + 2) + rows.getLong(column + 3) >= 0;
        total += isAll && isSome ? rows.getLong(column + 4) + rows.getLong(column + 5) : 0;
      }
    }
    return total;
  }
}
