package gilmok.tee;

import gilmok.auth.Scope;
import gilmok.http.Exchange;
import gilmok.http.OtherAnswer;
import gilmok.http.OtherServer;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.http.SentRequest;
import gilmok.observe.Meters;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Passes what phones send on to another server, and compares the answers. Handlers run on event
 * loops and do not wait. Thread-safe.
 */
public final class Tee implements AutoCloseable {
  private static final String PATH = "/v1/tee";

  private final TeeConfig config;
  private final InstantSource clock;
  private final OtherServer other;
  private final TeeLanes lanes;
  private final TeeReport report;

  /** Passes requests on to the configured server, which must be one. */
  public Tee(TeeConfig config, Meters meters, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    other = new OtherServer(Objects.requireNonNull(config.url()), config.timeout(), 4_096);
    lanes = new TeeLanes(other, config.bytesMax());
    report = new TeeReport(meters);
    meters.gauge(
        "gilmok_tee_waiting_bytes",
        "Bytes of requests that wait for the other server, or are being sent.",
        lanes::bytes);
  }

  /**
   * The same routes, whose requests the other server gets, too, and one more: what this server does
   * not take, for an unknown path or key, may be right for the other.
   */
  public List<Route> around(List<Route> routes, int bodyBytesMax) {
    List<Route> all = new ArrayList<>(routes.stream().map(this::around).toList());
    all.add(around(Route.elsewhere(bodyBytesMax, Tee::refuse)));
    return all;
  }

  private static void refuse(Exchange exchange) {
    exchange.refuse(Objects.requireNonNullElse(exchange.refused(), Refusal.NOT_FOUND));
  }

  private Route around(Route route) {
    Route.Handler handler = route.handler();
    return route.handledBy(
        config.mode() == TeeConfig.Mode.COPY
            ? exchange -> copy(exchange, handler)
            : exchange -> shadow(exchange, handler));
  }

  /** The route of the report. */
  public List<Route> routes() {
    return route(
        exchange -> exchange.reply(200, "application/json", report.json(config, lanes.bytes())));
  }

  /** The same route where no other server is set. */
  public static List<Route> without() {
    return route(exchange -> exchange.refuse(Refusal.NOT_FOUND, "tee.url", "is not set"));
  }

  private static List<Route> route(Route.Handler handler) {
    OwnershipRule unbound = OwnershipRule.UNBOUND_ONLY;
    return List.of(new Route("GET", PATH, Scope.OPERATE, unbound, Priority.REPORTS, 0, handler));
  }

  private void copy(Exchange exchange, Route.Handler handler) {
    SentRequest sent = exchange.sent();
    if (sent == null) {
      report.dropped();
      handler.handle(exchange);
      return;
    }
    BothAnswers both = both(sent);
    exchange.whenAnswered(both::ours);
    if (!lanes.offer(sender(exchange), sent, both::theirs)) {
      report.dropped();
    }
    handler.handle(exchange);
  }

  /**
   * The phone gets the other server's answer. If that does not answer, the phone is asked to send
   * again, as by the other server's promise nothing is stored.
   */
  private void shadow(Exchange exchange, Route.Handler handler) {
    SentRequest sent = exchange.sent();
    if (sent == null) { // too long; refused, it would be sent for ever
      report.dropped();
      handler.handle(exchange);
      return;
    }
    BothAnswers both = both(sent);
    boolean isSent =
        lanes.offer(
            sender(exchange),
            sent,
            answer -> {
              both.theirs(answer);
              exchange.execute(() -> reply(exchange, answer));
            });
    if (!isSent) {
      report.dropped();
      exchange.refuse(Refusal.BUSY);
      return;
    }
    handler.handle(new QuietExchange(exchange, both::ours));
  }

  private static void reply(Exchange exchange, OtherAnswer answer) {
    if (answer.status() == 0) {
      exchange.refuse(Refusal.BUSY);
      return;
    }
    String type = "";
    for (Map.Entry<String, String> header : answer.headers()) {
      if (header.getKey().equalsIgnoreCase("content-type")) {
        type = header.getValue();
      } else if (!OtherServer.isOfConnection(header.getKey())) {
        exchange.replyHeader(header.getKey(), header.getValue());
      }
    }
    if (answer.body().length == 0) {
      exchange.reply(answer.status());
    } else {
      exchange.reply(answer.status(), type, answer.body());
    }
  }

  private BothAnswers both(SentRequest sent) {
    int mark = sent.target().indexOf('?'); // the query may have a key
    String path = mark < 0 ? sent.target() : sent.target().substring(0, mark);
    return new BothAnswers(report, config.mode(), sent.method() + " " + path, clock.millis());
  }

  /** A number of who has sent it: the same key from the same address, the same number. */
  private static int sender(Exchange exchange) {
    String key = exchange.refused() == null ? exchange.principal().keyId() : "";
    return Objects.hash(key, exchange.clientAddress());
  }

  @Override
  public void close() {
    other.close();
  }
}
