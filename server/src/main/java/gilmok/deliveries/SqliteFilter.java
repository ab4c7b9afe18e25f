package gilmok.deliveries;

import gilmok.deliveries.DeliveryStore.Filter;
import gilmok.documents.SqliteSession;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The question that lists deliveries. Times become bounds of the id, which sorts by creation. One
 * index answers, that of the narrowest filter there is; the others are held against its rows (a
 * plus before a column keeps SQLite from its index).
 */
final class SqliteFilter {
  /** Above every id. */
  private static final String END = "~";

  private SqliteFilter() {}

  /** The statement with its parameters set; its one column is the document. */
  static PreparedStatement select(
      SqliteSession session, Filter filter, @Nullable String before, int limit)
      throws SQLException {
    String status = filter.status() == null ? null : filter.status().name();
    String[] names = {"rider_id", "shop_id", "agency_id", "status"};
    @Nullable String[] values = {filter.riderId(), filter.shopId(), filter.agencyId(), status};
    StringBuilder sql = new StringBuilder("SELECT document FROM deliveries WHERE ");
    String plus = "";
    for (int i = 0; i < names.length; i++) {
      if (values[i] != null) {
        sql.append(plus).append(names[i]).append(" = ? AND ");
        plus = "+";
      }
    }
    sql.append("id >= ? AND id < ? ORDER BY id DESC LIMIT ?");
    PreparedStatement select = session.prepare(sql.toString());
    int column = 1;
    for (String value : values) {
      if (value != null) {
        select.setString(column++, value);
      }
    }
    Long from = filter.fromMillis();
    select.setString(column++, from == null ? "" : DeliveryId.floor(from));
    select.setString(column++, end(filter.toMillis(), before));
    select.setInt(column, limit);
    return select;
  }

  private static String end(@Nullable Long toMillis, @Nullable String before) {
    String end = toMillis == null ? END : DeliveryId.floor(toMillis);
    return before != null && before.compareTo(end) < 0 ? before : end;
  }
}
