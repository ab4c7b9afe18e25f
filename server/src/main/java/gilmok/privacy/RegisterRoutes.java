package gilmok.privacy;

import gilmok.auth.Scope;
import gilmok.collect.json.Fields;
import gilmok.event.CsvCell;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/privacy/records}: the register, the newest rows first, as JSON or CSV. Its handler
 * runs on event loops and leaves the rest to {@link Offload}.
 */
public final class RegisterRoutes {
  private static final int IN_FLIGHT_MAX = 16;
  private static final int LIMIT_USUAL = 1_000;
  private static final String ABOVE_ALL = "g";

  /** The longest that a row lasts: the id of one of a day begins with the day. */
  private static final long DAY_MILLIS = 25 * 3_600_000L;

  private static final String CURSOR = "[0-9a-f]{12}-[0-9a-f]{16,32}";

  private final Register register;
  private final Offload offload;

  /** The route of that register. */
  public RegisterRoutes(Register register, Offloads offloads) {
    this.register = register;
    offload = offloads.of("records", "the register cannot be read", IN_FLIGHT_MAX, null);
  }

  /** The one route. */
  public List<Route> routes() {
    return List.of(
        new Route(
                "GET",
                "/v1/privacy/records",
                Scope.ADMIN,
                OwnershipRule.UNBOUND_ONLY,
                Priority.REPORTS,
                0,
                this::list)
            .queriedBy("rider", "key", "from", "to", "format", "limit", "cursor"));
  }

  private void list(Exchange exchange) {
    String limit = exchange.query("limit");
    long most = limit == null ? LIMIT_USUAL : Fields.digits(limit);
    if (most < 1 || most > RegisterStore.ROWS_MAX) {
      exchange.refuse(
          Refusal.INVALID, "limit", "must be a number from 1 to " + RegisterStore.ROWS_MAX);
      return;
    }
    String format = exchange.query("format");
    boolean isCsv = "csv".equals(format);
    if (format != null && !isCsv && !format.equals("json")) {
      exchange.refuse(Refusal.INVALID, "format", "must be json or csv");
      return;
    }
    String cursor = exchange.query("cursor");
    if (cursor != null && !cursor.matches(CURSOR)) {
      exchange.refuse(Refusal.INVALID, "cursor", "must be the next of the page before");
      return;
    }
    long from = time(exchange, "from", 0);
    long to = time(exchange, "to", Long.MAX_VALUE);
    if (from < 0 || to < 0) {
      exchange.refuse(
          Refusal.INVALID, from < 0 ? "from" : "to", "must be a time: RFC 3339 or epoch ms");
      return;
    }
    if (from > to) {
      exchange.refuse(Refusal.INVALID, "to", "before from");
      return;
    }
    String rider = exchange.query("rider");
    String below = to == Long.MAX_VALUE ? ABOVE_ALL : RegisterRow.time(to);
    RegisterStore.Question question =
        new RegisterStore.Question(
            rider == null ? null : register.pseudonym(rider),
            exchange.query("key"),
            RegisterRow.time(from - DAY_MILLIS),
            cursor == null || cursor.compareTo(below) > 0 ? below : cursor,
            from,
            to,
            (int) most);
    offload.ask(exchange, () -> page(rider, question, isCsv));
  }

  /** The time that a parameter names; below 0 when it is none. */
  private static long time(Exchange exchange, String name, long unsaid) {
    String text = exchange.query(name);
    return text == null ? unsaid : Fields.millis(text);
  }

  private Answer page(@Nullable String rider, RegisterStore.Question question, boolean isCsv)
      throws IOException, InterruptedException {
    boolean _ = register.flush(rider);
    List<RegisterRow> rows = register.store().page(question);
    Set<String> pseudonyms = new HashSet<>();
    rows.forEach(row -> pseudonyms.add(row.rider()));
    pseudonyms.remove("");
    Map<String, String> names = register.store().names(pseudonyms);
    String next = rows.size() < question.limit() ? null : rows.getLast().id();
    if (isCsv) {
      byte[] csv = csv(rows, names).getBytes(StandardCharsets.UTF_8);
      return exchange -> {
        if (next != null) {
          exchange.replyHeader("X-Next-Cursor", next);
        }
        exchange.reply(200, "text/csv; charset=utf-8", csv);
      };
    }
    JsonBuffer out = new JsonBuffer();
    out.page(rows, (row, json) -> row.writeJson(names.get(row.rider()), json), next);
    return Answer.json(200, out.copy());
  }

  private static String csv(List<RegisterRow> rows, Map<String, String> names) {
    StringBuilder csv =
        new StringBuilder(
            "id,kind,rider,riderId,key,recipient,what,from,to,count,purposes,basis,sinks,node\r\n");
    for (RegisterRow row : rows) {
      List<String> cells =
          List.of(
              row.id(),
              row.kind().label(),
              row.rider(),
              names.getOrDefault(row.rider(), ""),
              row.key(),
              row.recipient(),
              row.what(),
              Instant.ofEpochMilli(row.span().fromMillis()).toString(),
              Instant.ofEpochMilli(row.span().toMillis()).toString(),
              Long.toString(row.span().count()),
              row.purposes(),
              row.basis(),
              row.sinks(),
              row.node());
      for (int i = 0; i < cells.size(); i++) {
        csv.append(i == 0 ? "" : ",").append(CsvCell.of(cells.get(i)));
      }
      csv.append("\r\n");
    }
    return csv.toString();
  }
}
