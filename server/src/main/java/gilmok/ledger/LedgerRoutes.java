package gilmok.ledger;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.auth.Scope;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Route;
import gilmok.log.Log;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.sinks.LedgerRow;
import gilmok.sinks.Receipts;
import gilmok.sinks.Sinks;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * The routes {@code /v1/ledger}, {@code /v1/receipts}, {@code /v1/quarantine} and {@code
 * /v1/sinks}. Handlers run on event loops and pass all work to {@link Offload}.
 */
public final class LedgerRoutes {
  private static final String QUARANTINE = "/v1/quarantine";
  private static final String REPLAYS = "/v1/quarantine-replays";

  /**
   * The former path of {@link #REPLAYS}, not in the document: it can be read as a record's replay.
   */
  private static final String FORMER_REPLAYS = QUARANTINE + "/replay";

  private static final String SINKS = "/v1/sinks";
  private static final String SINK = SINKS + "/{id}";
  private static final int BODY_BYTES_MAX = 16 << 10;
  private static final int RECORD_BYTES_MAX = 1 << 20;
  private static final int IN_FLIGHT_MAX = 16;

  private final Log log;
  private final Sinks ship;
  private final InstantSource clock;
  private final RecordStatus recordStatus;
  private final QuarantinePage quarantine;
  private final Replays replays;
  private final SinkService sinkService;
  private final Offload offload;

  /**
   * The routes of the ledger.
   *
   * @param receipts each sink's receipts, by its name
   * @param nodes where the nodes answer that have other records
   * @param recollector collects quarantined records again
   */
  public LedgerRoutes(
      Log log,
      Sinks ship,
      Map<String, Receipts> receipts,
      NodeAddresses nodes,
      Recollector recollector,
      Audit audit,
      InstantSource clock,
      Offloads offloads) {
    this.log = log;
    this.ship = ship;
    this.clock = clock;
    recordStatus = new RecordStatus(log, ship, receipts, nodes);
    quarantine = new QuarantinePage(log);
    replays = new Replays(log, ship, receipts, recollector, audit, clock);
    sinkService = new SinkService(log, ship, audit, clock);
    offload =
        offloads.of(
            new Offload.Part(
                "ledger", "the ledger cannot be read or written", IN_FLIGHT_MAX, null));
  }

  /** All of these routes. */
  public List<Route> routes() {
    return List.of(
        route("GET", "/v1/ledger", 0, (exchange, body) -> this::ledger),
        route("GET", "/v1/receipts/{id}", 0, (exchange, body) -> of(exchange, recordStatus::of)),
        route("GET", QUARANTINE, 0, (exchange, body) -> quarantine(exchange))
            .queriedBy("stream", "sink", "limit", "cursor"),
        begin(REPLAYS),
        begin(FORMER_REPLAYS),
        progress(REPLAYS),
        progress(FORMER_REPLAYS),
        route(
            "POST",
            QUARANTINE + "/{id}/replay",
            RECORD_BYTES_MAX,
            (exchange, body) -> by(exchange, (actor, id) -> replays.replay(actor, id, body))),
        route("GET", SINKS, 0, (exchange, body) -> sinkService::list),
        route("GET", SINK, 0, (exchange, body) -> of(exchange, sinkService::show)),
        route(
            "PUT",
            SINK,
            BODY_BYTES_MAX,
            (exchange, body) -> by(exchange, (actor, name) -> sinkService.tune(actor, name, body))),
        route("DELETE", SINK, 0, (exchange, body) -> by(exchange, sinkService::forget)),
        route("POST", SINK + "/pause", 0, (exchange, body) -> by(exchange, sinkService::pause)),
        route("POST", SINK + "/resume", 0, (exchange, body) -> by(exchange, sinkService::resume)),
        route(
            "POST",
            SINK + "/rewind",
            BODY_BYTES_MAX,
            (exchange, body) ->
                by(exchange, (actor, name) -> sinkService.rewind(actor, name, body))));
  }

  /** Reads a request on its event loop; returns the work that remains. */
  private interface Handler {
    Offload.Work take(Exchange exchange, byte[] body);
  }

  /** Work on the item that the path names. */
  private interface Named {
    Answer run(String id) throws IOException, InterruptedException;
  }

  /** A change by somebody. */
  private interface Change {
    Answer make(Actor actor) throws IOException, InterruptedException;
  }

  /** A change by somebody to the item that the path names. */
  private interface NamedChange {
    Answer make(Actor actor, String id) throws IOException, InterruptedException;
  }

  private static Offload.Work by(Exchange exchange, Change change) {
    Actor actor = Actor.of(exchange);
    return () -> change.make(actor);
  }

  private static Offload.Work by(Exchange exchange, NamedChange change) {
    String id = exchange.pathParameter("id");
    return by(exchange, actor -> change.make(actor, id));
  }

  private static Offload.Work of(Exchange exchange, Named named) {
    String id = exchange.pathParameter("id");
    return () -> named.run(id);
  }

  private Route begin(String path) {
    return route(
        "POST",
        path,
        BODY_BYTES_MAX,
        (exchange, body) -> by(exchange, actor -> replays.begin(actor, body)));
  }

  private Route progress(String path) {
    return route("GET", path + "/{id}", 0, (exchange, body) -> of(exchange, replays::progress));
  }

  private Route route(String method, String path, int bodyBytesMax, Handler handler) {
    return new Route(
        method,
        path,
        Scope.OPERATE,
        OwnershipRule.UNBOUND_ONLY,
        Priority.REPORTS,
        bodyBytesMax,
        exchange -> offload.ask(exchange, handler.take(exchange, exchange.bodyCopy())));
  }

  private Offload.Work quarantine(Exchange exchange) {
    String stream = exchange.query("stream");
    String sink = exchange.query("sink");
    String limit = exchange.query("limit");
    String cursor = exchange.query("cursor");
    long most = limit == null ? QuarantinePage.ITEMS_USUAL : RecordId.sequence(limit);
    long from = cursor == null ? 0 : RecordId.sequence(cursor);
    if (most < 1 || most > QuarantinePage.ITEMS_MAX) {
      String reason = "must be a number from 1 to " + QuarantinePage.ITEMS_MAX;
      return () -> Answer.invalid("limit", reason);
    }
    if (from < 0) {
      return () -> Answer.invalid("cursor", "must be the next of the page before");
    }
    if (stream != null && Stream.of(stream) == null) {
      return () -> Answer.invalid("stream", "there is no such stream");
    }
    return () -> quarantine.read(stream, sink, (int) most, from);
  }

  private Answer ledger() {
    return Answer.json(json());
  }

  /** The ledger as {@code GET /v1/ledger} answers it. From any thread; it may block. */
  public byte[] json() {
    List<LedgerRow> rows = ship.ledger().rows();
    StreamCounts accepted = log.accepted();
    long residue = rows.stream().mapToLong(row -> Math.abs(row.residue())).sum();
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"node\":\"").ascii(log.node().toString());
    out.ascii("\",\"at\":").time(clock.millis()).ascii(",\"residue\":").number(residue);
    out.ascii(",\"streams\":")
        .list(List.of(Stream.values()), (stream, to) -> write(stream, accepted, to));
    out.ascii(",\"items\":").list(rows, LedgerRoutes::write);
    return out.ascii(",\"next\":null}").copy();
  }

  private static void write(Stream stream, StreamCounts accepted, JsonBuffer out) {
    out.ascii("{\"stream\":").string(stream.label());
    out.ascii(",\"accepted\":").number(accepted.of(stream)).put('}');
  }

  private static void write(LedgerRow row, JsonBuffer out) {
    out.ascii("{\"sink\":").string(row.sink());
    out.ascii(",\"stream\":").string(row.stream().label());
    out.ascii(",\"since\":").number(row.since());
    out.ascii(",\"accepted\":").number(row.accepted());
    out.ascii(",\"delivered\":").number(row.delivered());
    out.ascii(",\"waiting\":").number(row.waiting());
    out.ascii(",\"quarantined\":").number(row.quarantined());
    out.ascii(",\"skipped\":").number(row.skipped());
    out.ascii(",\"erased\":").number(row.erased());
    out.ascii(",\"lost\":").number(row.lost());
    out.ascii(",\"residue\":").number(row.residue()).put('}');
  }
}
