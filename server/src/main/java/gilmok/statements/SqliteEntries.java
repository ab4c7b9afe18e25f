package gilmok.statements;

import gilmok.documents.Query;
import gilmok.documents.SqliteDatabase;
import gilmok.documents.SqliteSession;
import gilmok.event.DayRange;
import gilmok.observe.PartTimes;
import gilmok.retention.SqliteRemovalPlans;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Entries in SQLite: one row each, in the order of pages. Beside them, and changed in the same
 * transaction, are the values that a statement sums, encoded by rider, UTC day and currency ({@link
 * PackedEntries}). A statement reads only these: one row for each day instead of one for each
 * entry, as reading a row costs far more than adding its values. Thread-safe; calls block until the
 * change is on disk.
 */
public record SqliteEntries(SqliteDatabase database) implements EntryStore {
  private static final String INSERT =
      "INSERT INTO entries"
          + " (id, rider_id, at, kind, amount, currency, delivery_id, distance)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
  private static final String COLUMNS =
      "SELECT id, rider_id, at, kind, amount, currency, delivery_id, distance FROM entries";
  static final String FIND = COLUMNS + " WHERE id = ?";
  static final String PAGE =
      COLUMNS
          + " WHERE rider_id = ? AND (at, id) > (?, ?) AND at < ?"
          + " ORDER BY rider_id, at, id LIMIT ?";
  private static final String AFTER = COLUMNS + " WHERE id > ? ORDER BY id LIMIT ?";
  private static final String LAST_PART =
      "SELECT part, packed FROM entry_days WHERE rider_id = ? AND day = ? AND currency = ?"
          + " ORDER BY part DESC LIMIT 1";
  private static final String PUT_PART =
      "INSERT OR REPLACE INTO entry_days (rider_id, day, currency, part, packed)"
          + " VALUES (?, ?, ?, ?, ?)";
  private static final String SUM =
      "SELECT day, currency, packed FROM entry_days"
          + " WHERE rider_id = ? AND day >= ? AND day <= ?";

  /**
   * Keeps a part within SQLite's page of 4 KiB, which holds at most a quarter of a page for each
   * row.
   */
  static final int PART_BYTES_MAX = 800;

  /** Limits how long other writes, as moves of deliveries, wait: some milliseconds. */
  private static final int PIECE_ENTRIES_MAX = 100;

  /** All queries. */
  public static List<Query> queries() {
    return List.of(
        Query.of("entries: add", INSERT),
        Query.of("entries: one", FIND),
        Query.of("entries: page", PAGE),
        Query.of("entries: all, by id", AFTER),
        Query.of("statement: last part of a day", LAST_PART),
        Query.of("statement: put a part", PUT_PART),
        Query.of("statement: sum", SUM));
  }

  @Override
  public Added add(List<StatementEntry> entries) throws IOException, InterruptedException {
    if (entries.size() > ENTRIES_MAX) {
      throw new IllegalArgumentException("more than " + ENTRIES_MAX + " at once");
    }
    int accepted = 0;
    List<String> differing = new ArrayList<>();
    List<String> tooOld = new ArrayList<>();
    for (int from = 0; from < entries.size(); from += PIECE_ENTRIES_MAX) {
      List<StatementEntry> piece =
          entries.subList(from, Math.min(entries.size(), from + PIECE_ENTRIES_MAX));
      accepted += database.write(session -> add(session, piece, differing, tooOld));
    }
    int duplicates = entries.size() - accepted - tooOld.size();
    return new Added(accepted, duplicates, differing, tooOld);
  }

  /** Adds entries in one transaction. Returns the number of new ones. */
  private static int add(
      SqliteSession session,
      List<StatementEntry> entries,
      List<String> differing,
      List<String> tooOld)
      throws SQLException {
    int accepted = 0;
    // Of this transaction, so no plan to remove comes in between.
    long kept = EntryRemoval.millis(SqliteRemovalPlans.removedTo(session, EntryRemoval.KIND));
    Map<Day, List<StatementEntry>> fresh = new LinkedHashMap<>();
    for (StatementEntry entry : entries) {
      if (entry.atMillis() < kept) {
        tooOld.add(entry.id());
      } else if (insert(session, entry)) {
        accepted++;
        fresh.computeIfAbsent(Day.of(entry), _ -> new ArrayList<>()).add(entry);
      } else if (!entry.equals(session.first(SqliteEntries::entry, FIND, entry.id()))) {
        differing.add(entry.id());
      }
    }
    for (Map.Entry<Day, List<StatementEntry>> one : fresh.entrySet()) {
      pack(session, one.getKey(), one.getValue());
    }
    return accepted;
  }

  private static boolean insert(SqliteSession session, StatementEntry entry) throws SQLException {
    return session.update(
            INSERT,
            entry.id(),
            entry.riderId(),
            entry.atMillis(),
            entry.kind().label(),
            entry.amount(),
            entry.currency(),
            entry.deliveryId(),
            entry.distance())
        > 0;
  }

  /** The key of entries that are encoded together. */
  private record Day(String riderId, long number, String currency) {
    static Day of(StatementEntry entry) {
      return new Day(entry.riderId(), PackedEntries.day(entry.atMillis()), entry.currency());
    }
  }

  /** Adds entries to the day's last part, and to further parts as needed. */
  private static void pack(SqliteSession session, Day day, List<StatementEntry> entries)
      throws SQLException {
    int part = 0;
    byte[] before = {};
    PreparedStatement last = session.prepare(LAST_PART, day.riderId, day.number, day.currency);
    try (ResultSet row = last.executeQuery()) {
      if (row.next()) {
        part = row.getInt(1);
        before = row.getBytes(2);
      }
    }
    PackedEntries packed = new PackedEntries(before);
    for (StatementEntry entry : entries) {
      if (packed.size() >= PART_BYTES_MAX) {
        put(session, day, part, packed);
        part++;
        packed = new PackedEntries(new byte[0]);
      }
      packed.add(entry);
    }
    put(session, day, part, packed);
  }

  private static void put(SqliteSession session, Day day, int part, PackedEntries packed)
      throws SQLException {
    session.update(PUT_PART, day.riderId, day.number, day.currency, part, packed.bytes());
  }

  @Override
  public DaySums sum(String riderId, DayRange days, String currency)
      throws IOException, InterruptedException {
    return database.read(
        session -> {
          DaySums sums = new DaySums(days.count());
          long first = PackedEntries.day(days.fromMillis());
          long last = PackedEntries.day(days.untilMillis() - 1);
          PreparedStatement select = session.prepare(SUM, riderId, first, last);
          try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              long day = rows.getLong(1);
              String its = rows.getString(2);
              byte[] packed = rows.getBytes(3);
              if (its.equals(currency)) {
                PackedEntries.sum(packed, day, days, sums);
              } else if (PackedEntries.hasAny(packed, day, days)) {
                sums.leaveOut(its);
              }
            }
          }
          return sums;
        });
  }

  @Override
  public List<StatementEntry> page(
      String riderId, long fromMillis, long untilMillis, @Nullable StatementEntry after, int limit)
      throws IOException, InterruptedException {
    if (limit < 1 || limit > ENTRIES_MAX) {
      throw new IllegalArgumentException("limit: " + limit);
    }
    boolean isLater = after != null && after.atMillis() >= fromMillis;
    long at = isLater ? Objects.requireNonNull(after).atMillis() : fromMillis;
    String id = isLater ? Objects.requireNonNull(after).id() : ""; // sorts below every id
    return database.list(SqliteEntries::entry, PAGE, riderId, at, id, untilMillis, limit);
  }

  @Override
  public long keptFromMillis() throws IOException, InterruptedException {
    return EntryRemoval.millis(new SqliteRemovalPlans(database, EntryRemoval.KIND).removedTo());
  }

  @Override
  public List<StatementEntry> after(String id, int limit) throws IOException, InterruptedException {
    return database.list(SqliteEntries::entry, AFTER, id, limit);
  }

  static StatementEntry entry(ResultSet row) throws SQLException {
    long began = PartTimes.clock();
    StatementEntry entry =
        new StatementEntry(
            row.getString(1),
            row.getString(2),
            row.getLong(3),
            Objects.requireNonNull(EntryKind.ofLabel(row.getString(4))),
            row.getLong(5),
            row.getString(6),
            row.getString(7),
            row.getLong(8));
    PartTimes.worked(PartTimes.MAPPING, PartTimes.clock() - began);
    return entry;
  }
}
