package gilmok.deliveries;

import gilmok.deliveries.DeliveryStore.Filter;
import gilmok.documents.Query;
import gilmok.documents.SqliteSession;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The query that lists deliveries. Times become bounds of the id, which sorts by creation. The
 * narrowest filter is answered by its index; the other filters are checked on the rows it finds (a
 * plus before a column keeps SQLite from using that column's index).
 */
final class SqliteFilter {
  /** Sorts above every id. */
  private static final String END = "~";

  /** The filter columns, the narrowest first. */
  private static final List<String> NAMES = List.of("rider_id", "shop_id", "agency_id", "status");

  /** The statements, by the sum of the filters used: 1 rider, 2 shop, 4 agency, 8 status. */
  private static final List<String> SQL =
      IntStream.range(0, 1 << NAMES.size()).mapToObj(SqliteFilter::sql).toList();

  private SqliteFilter() {}

  /** All forms of the query. */
  static List<Query> queries() {
    List<Query> all = new ArrayList<>();
    for (int which = 0; which < SQL.size(); which++) {
      all.add(Query.of("deliveries: list by " + name(which), SQL.get(which)));
    }
    return all;
  }

  private static String name(int which) {
    return which == 0 ? "time" : String.join(", ", names(which));
  }

  private static List<String> names(int which) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      if ((which & (1 << i)) != 0) {
        names.add(NAMES.get(i));
      }
    }
    return names;
  }

  private static String sql(int which) {
    StringBuilder sql = new StringBuilder("SELECT document, id FROM deliveries WHERE ");
    String plus = "";
    for (String name : names(which)) {
      sql.append(plus).append(name).append(" = ? AND ");
      plus = "+";
    }
    return sql.append("id >= ? AND id < ? ORDER BY id DESC LIMIT ?").toString();
  }

  /** The statement with its parameters set. Its columns are document and id. */
  static PreparedStatement select(
      SqliteSession session, Filter filter, @Nullable String before, int limit)
      throws SQLException {
    String status = filter.status() == null ? null : filter.status().name();
    List<@Nullable String> names =
        Arrays.asList(filter.riderId(), filter.shopId(), filter.agencyId(), status);
    List<Object> values = new ArrayList<>();
    int which = 0;
    for (int i = 0; i < names.size(); i++) {
      String value = names.get(i);
      if (value != null) {
        which |= 1 << i;
        values.add(value);
      }
    }
    Long from = filter.fromMillis();
    values.add(from == null ? "" : DeliveryId.floor(from));
    values.add(end(filter.toMillis(), before));
    values.add(limit);
    return session.prepare(SQL.get(which), values.toArray());
  }

  private static String end(@Nullable Long toMillis, @Nullable String before) {
    String end = toMillis == null ? END : DeliveryId.floor(toMillis);
    return before != null && before.compareTo(end) < 0 ? before : end;
  }
}
