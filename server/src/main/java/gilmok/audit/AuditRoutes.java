package gilmok.audit;

import gilmok.auth.Scope;
import gilmok.collect.json.Fields;
import gilmok.event.HiddenKey;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The route {@code GET /v1/audit}. Its handler runs on event loops; {@link Offload} does the rest.
 */
public record AuditRoutes(Audit audit, AuditStore store, InstantSource clock, Offload offload) {
  private static final int IN_FLIGHT_MAX = 16;
  private static final int ITEMS_USUAL = 100;
  private static final String ABOVE_ALL = "g";

  /** How long a question waits for the entries that this node has just written. */
  private static final Duration COPIED_MAX = Duration.ofSeconds(2);

  /** The route of an audit and of the store that it copies its entries to. */
  public AuditRoutes(Audit audit, AuditStore store, InstantSource clock, Offloads offloads) {
    this(
        audit, store, clock, offloads.of("audit", "the audit cannot be read", IN_FLIGHT_MAX, null));
  }

  /** The one route. */
  public List<Route> routes() {
    return List.of(
        new Route(
            "GET",
            "/v1/audit",
            Scope.ADMIN,
            OwnershipRule.UNBOUND_ONLY,
            Priority.REPORTS,
            0,
            this::list));
  }

  private void list(Exchange exchange) {
    String limit = exchange.query("limit");
    long most = limit == null ? ITEMS_USUAL : Fields.digits(limit);
    if (most < 1 || most > AuditStore.ENTRIES_MAX) {
      refuse(exchange, "limit", "must be a number from 1 to " + AuditStore.ENTRIES_MAX);
      return;
    }
    String cursor = exchange.query("cursor");
    if (cursor != null && !AuditId.isOne(cursor)) {
      refuse(exchange, "cursor", "must be the next of the page before");
      return;
    }
    String key = exchange.query("key");
    if (key != null && HiddenKey.isIn(key)) {
      refuse(exchange, "key", "is a whole key: give its id, and replace the key that was sent");
      return;
    }
    String from = bound(exchange, "from", "0");
    String to = bound(exchange, "to", ABOVE_ALL);
    if (from == null || to == null) {
      refuse(exchange, from == null ? "from" : "to", "must be a time: RFC 3339 or epoch ms");
      return;
    }
    String below = cursor == null || cursor.compareTo(to) > 0 ? to : cursor;
    AuditStore.Question question = new AuditStore.Question(from, below, key, (int) most);
    offload.ask(exchange, () -> page(question));
  }

  private static void refuse(Exchange exchange, String field, String reason) {
    exchange.refuse(Refusal.INVALID, field, reason);
  }

  /** The lowest id of the time that a parameter names; null when it is no time. */
  private static @Nullable String bound(Exchange exchange, String name, String unsaid) {
    String text = exchange.query(name);
    long millis = text == null ? 0 : Fields.millis(text);
    return millis < 0 ? null : text == null ? unsaid : AuditId.from(millis);
  }

  private Answer page(AuditStore.Question question) throws IOException, InterruptedException {
    if (!audit.awaitCopied(COPIED_MAX)) {
      // An answer without the newest entries would look complete.
      return Answer.of(Refusal.BUSY);
    }
    List<AuditStore.Row> rows = store.page(question, clock.millis());
    String next = rows.size() < question.limit() ? null : rows.getLast().id();
    return Answer.json(200, new JsonBuffer().page(rows, AuditRoutes::write, next).copy());
  }

  private static void write(AuditStore.Row row, JsonBuffer out) {
    byte[] utf8 = row.json().getBytes(StandardCharsets.UTF_8);
    out.raw(utf8, 0, utf8.length);
  }
}
