package gilmok.audit;

import gilmok.auth.Scope;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
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
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The route {@code GET /v1/audit}. Its handler runs on event loops; {@link Offload} does the rest.
 */
public record AuditRoutes(Audit audit, AuditStore store, InstantSource clock, Offload offload) {
  private static final Logger LOGGER = System.getLogger("gilmok.audit");
  private static final int IN_FLIGHT_MAX = 16;
  private static final int ITEMS_USUAL = 100;
  private static final String ABOVE_ALL = "g";

  /** Shorter than any whole key. */
  private static final String KEY_ID = "[a-z0-9-]{1,12}";

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
                this::list)
            .queriedBy("from", "to", "key", "limit", "cursor"));
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
    if (key != null && !key.matches(KEY_ID)) {
      refuse(exchange, "key", "must be the id of a key; if it was a whole key, replace that key");
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
    List<AuditStore.Row> sound = rows.stream().filter(AuditRoutes::isSound).toList();
    JsonBuffer out = new JsonBuffer().ascii("{\"items\":").list(sound, AuditRoutes::write);
    out.ascii(",\"next\":");
    if (next == null) {
      out.ascii("null");
    } else {
      out.string(next);
    }
    if (sound.size() < rows.size()) {
      List<String> damaged =
          rows.stream().filter(row -> !isSound(row)).map(AuditStore.Row::id).toList();
      LOGGER.log(Level.WARNING, "entries of the audit are damaged in the documents: {0}", damaged);
      out.ascii(",\"unreadable\":").strings(damaged);
    }
    return Answer.json(200, out.put('}').copy());
  }

  /** Whether a row's JSON is the entry of that id, and nothing else. */
  private static boolean isSound(AuditStore.Row row) {
    byte[] utf8 = row.json().getBytes(StandardCharsets.UTF_8);
    JsonDocument document = new JsonDocument();
    int entry = document.read(utf8, 0, utf8.length);
    return document.isObject(entry) && row.id().equals(document.text(document.member(entry, "id")));
  }

  private static void write(AuditStore.Row row, JsonBuffer out) {
    byte[] utf8 = row.json().getBytes(StandardCharsets.UTF_8);
    out.raw(utf8, 0, utf8.length);
  }
}
