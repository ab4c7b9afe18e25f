package gilmok.transfer;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.auth.Scope;
import gilmok.collect.json.Fields;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The routes that take records out and bring them in. Only keys with the scope {@code admin} may:
 * what is kept of partners and keys is secret. Handlers run on event loops; all else is left to
 * {@link Offload}, whose few places leave the storage to others.
 */
public final class TransferRoutes {
  private static final String EXPORTS = "/v1/exports";
  private static final String DATASET = "dataset";
  private static final int BODY_BYTES_MAX = 4 << 20;
  private static final int IN_FLIGHT_MAX = 8;
  private static final int PAGE_MAX = 1_000;

  private final Map<String, Dataset> datasets = new TreeMap<>();
  private final Audit audit;
  private final Supplier<@Nullable Place> place;
  private final Offload offload;

  /**
   * What records are kept in, as far as it shows whether it is still the same: a data folder, which
   * nobody has put back to an earlier time while its log has come further.
   *
   * @param node of the folder
   * @param sequence of the last durable record
   */
  public record Place(String node, long sequence) {}

  /**
   * The routes of these kinds of record.
   *
   * @param place where they are kept; gives null where that is a database of several nodes
   */
  public TransferRoutes(
      List<Dataset> all, Audit audit, Supplier<@Nullable Place> place, Offloads offloads) {
    all.forEach(dataset -> datasets.put(dataset.name(), dataset));
    this.audit = audit;
    this.place = place;
    offload =
        offloads.of("transfer", "records cannot be exported or imported", IN_FLIGHT_MAX, null);
  }

  /** All routes. */
  public List<Route> routes() {
    return List.of(
        route("GET", EXPORTS, 0, this::list),
        route("GET", EXPORTS + "/{" + DATASET + "}", 0, this::export).queriedBy("cursor", "limit"),
        route("POST", "/v1/imports/{" + DATASET + "}", BODY_BYTES_MAX, this::bring).takingLines());
  }

  private static Route route(String method, String path, int bodyBytesMax, Route.Handler handler) {
    OwnershipRule unbound = OwnershipRule.UNBOUND_ONLY;
    return new Route(method, path, Scope.ADMIN, unbound, Priority.REPORTS, bodyBytesMax, handler);
  }

  private void list(Exchange exchange) {
    JsonBuffer out = new JsonBuffer();
    out.page(
        List.copyOf(datasets.values()),
        (dataset, json) -> {
          json.ascii("{\"name\":").string(dataset.name()).ascii(",\"isImported\":");
          json.ascii(dataset.batch("") == null ? "false}" : "true}");
        },
        null);
    exchange.reply(200, "application/json", out.copy());
  }

  private @Nullable Dataset dataset(Exchange exchange) {
    Dataset dataset = datasets.get(exchange.pathParameter(DATASET));
    if (dataset == null) {
      exchange.refuse(
          Refusal.NOT_FOUND, DATASET, "there is none of that name; GET /v1/exports lists them");
    }
    return dataset;
  }

  private void export(Exchange exchange) {
    Dataset dataset = dataset(exchange);
    if (dataset == null) {
      return;
    }
    String asked = exchange.query("limit");
    long limit = asked == null ? PAGE_MAX : Fields.digits(asked);
    String cursor = exchange.query("cursor") == null ? "" : exchange.query("cursor");
    String why = cursor == null || cursor.isEmpty() ? null : dataset.whyNoCursor(cursor);
    if (limit < 1 || limit > PAGE_MAX) {
      exchange.refuse(Refusal.INVALID, "limit", "must be a number from 1 to " + PAGE_MAX);
    } else if (why != null) {
      exchange.refuse(Refusal.INVALID, "cursor", why);
    } else {
      Actor actor = Actor.of(exchange);
      String from = cursor == null ? "" : cursor;
      exchange.replyHeader("Cache-Control", "no-store");
      offload.ask(exchange, () -> page(dataset, from, (int) limit, actor));
    }
  }

  private Answer page(Dataset dataset, String cursor, int limit, Actor actor)
      throws IOException, InterruptedException {
    DatasetPage page =
        cursor.isEmpty()
            ? audited(
                AuditAction.RECORDS_EXPORTED,
                actor,
                dataset,
                null,
                () -> dataset.page(cursor, limit))
            : dataset.page(cursor, limit);
    return Answer.written(
        200,
        () -> {
          JsonBuffer out = new JsonBuffer();
          RecordSum sum = new RecordSum();
          out.ascii("{\"items\":")
              .list(
                  page.records(),
                  (record, json) -> {
                    sum.add(record);
                    json.raw(record, 0, record.length);
                  });
          out.ascii(",\"sum\":\"").ascii(RecordSum.text(sum.value())).ascii("\",\"next\":");
          String next = page.next();
          return (next == null ? out.ascii("null") : out.string(next)).put('}').copy();
        });
  }

  private void bring(Exchange exchange) {
    Dataset dataset = dataset(exchange);
    if (dataset == null) {
      return;
    }
    RecordBatch batch = dataset.batch(exchange.principal().keyId());
    if (batch == null) {
      exchange.refuse(
          Refusal.NOT_FOUND, DATASET, "is brought as phones bring it, by its own route");
      return;
    }
    // Parsing many records would block the event loop. The body's bytes belong to the exchange.
    byte[] body = exchange.bodyCopy();
    Actor actor = Actor.of(exchange);
    offload.ask(exchange, () -> brought(dataset, batch, body, actor));
  }

  private Answer brought(Dataset dataset, RecordBatch batch, byte[] bytes, Actor actor)
      throws IOException, InterruptedException {
    ImportBody body = new ImportBody(batch);
    Answer refusal = body.read(bytes);
    if (refusal != null) {
      return refusal;
    }
    String records = "{\"records\":" + body.taken() + "}";
    RecordBatch.Stored stored =
        body.taken() == 0
            ? new RecordBatch.Stored(0, 0, List.of(), List.of(), 0)
            : audited(AuditAction.RECORDS_IMPORTED, actor, dataset, records, batch::store);
    body.reject(stored.rejected());
    return Answer.written(
        200,
        () -> {
          JsonBuffer out = new JsonBuffer();
          out.ascii("{\"accepted\":").number((long) stored.accepted());
          out.ascii(",\"duplicates\":").number((long) stored.duplicates());
          out.ascii(",\"differing\":").strings(stored.differing());
          JsonBuffer rejected = body.rejected();
          out.ascii(",\"rejected\":[").raw(rejected.bytes(), 0, rejected.size());
          out.ascii("],\"sum\":\"").ascii(RecordSum.text(stored.sum()));
          out.put('"');
          Place kept = place.get();
          if (kept != null) {
            out.ascii(",\"place\":{\"node\":").string(kept.node);
            out.ascii(",\"sequence\":").number(kept.sequence).put('}');
          }
          return out.put('}').copy();
        });
  }

  private <T> T audited(
      AuditAction action,
      Actor actor,
      Dataset dataset,
      @Nullable String after,
      Audit.Change<T> change)
      throws IOException, InterruptedException {
    return audit.change(new AuditEntry(action, actor, dataset.name(), null, after), change);
  }
}
