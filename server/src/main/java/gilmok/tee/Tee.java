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
import gilmok.http.Withheld;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Passes what phones send on to another server, and compares the answers. Handlers run on event
 * loops and do not wait. Thread-safe.
 */
public final class Tee implements Drainable {
  private static final Logger LOG = System.getLogger(Tee.class.getName());
  private static final String PATH = "/v1/tee";

  /** How many requests may be with the other server at once; each has a connection. */
  private static final int SENDING_MAX = 4_096;

  private static final long LOOK_NANOS = 5_000_000L;

  private final TeeConfig config;
  private final InstantSource clock;
  private final OtherServer other;
  private final TeeRoom room;
  private final TeeLanes lanes;
  private final TeeReport report;

  /** Passes requests on to the configured server, which must be one. */
  public Tee(TeeConfig config, Withheld withheld, Meters meters, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    long bytesMax = config.bytesMax();
    boolean isCopy = config.mode() == TeeConfig.Mode.COPY;
    other =
        new OtherServer(
            Objects.requireNonNull(config.url()),
            config.timeout(),
            SENDING_MAX,
            isCopy ? 0 : bytesMax,
            withheld);
    // What waits for a place would count against the time that an answer may take; copies wait in
    // their lanes, and phones that wait are asked to come again.
    room = new TeeRoom(bytesMax, isCopy ? Integer.MAX_VALUE : SENDING_MAX);
    lanes = new TeeLanes(other, room, SENDING_MAX);
    report = new TeeReport(meters);
    meters.gauge(
        "gilmok_tee_waiting_bytes",
        "Bytes of requests that wait for the other server, or are being sent.",
        room::bytes);
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
            ? exchange -> passOn(exchange, handler, this::copy)
            : exchange -> passOn(exchange, handler, this::shadow));
  }

  /** What a rider's consent does not cover is answered by this server alone. */
  private void passOn(
      Exchange exchange, Route.Handler handler, BiConsumer<Exchange, Route.Handler> way) {
    if (handler.mayPassOn(exchange)) {
      way.accept(exchange, handler);
    } else {
      report.withheld();
      handler.handle(exchange);
    }
  }

  /** The route of the report. */
  public List<Route> routes() {
    return route(
        exchange -> exchange.reply(200, "application/json", report.json(config, room.bytes())));
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
    exchange.whenAnswered(both);
    if (!lanes.offer(sent, both::theirs)) {
      report.dropped();
    }
    handler.handle(exchange);
  }

  /**
   * The phone gets the other server's answer. If that does not answer, the phone is asked to send
   * again, as by the other server's promise nothing is stored. Requests need no order: whoever
   * wants one waits for the answer.
   */
  private void shadow(Exchange exchange, Route.Handler handler) {
    SentRequest sent = exchange.sent();
    if (sent == null) { // too long; refused, it would be sent for ever
      report.dropped();
      handler.handle(exchange);
      return;
    }
    if (!room.enter(sent)) {
      report.dropped();
      exchange.refuse(Refusal.BUSY);
      return;
    }
    BothAnswers both = both(sent);
    Runnable callOff =
        other.send(
            sent,
            answer -> {
              room.leave(sent);
              both.theirs(answer);
              exchange.execute(() -> reply(exchange, answer));
            });
    exchange.whenGone(callOff);
    handler.handle(new QuietExchange(exchange, both));
  }

  private static void reply(Exchange exchange, OtherAnswer answer) {
    if (answer.status() == 0) {
      exchange.refuse(Refusal.BUSY);
      return;
    }
    String type = "";
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Map.Entry<String, String> header : answer.headers()) {
      String name = header.getKey();
      if (name.equalsIgnoreCase("content-type")) {
        type = header.getValue();
      } else if (name.equalsIgnoreCase("set-cookie")) { // the one header that is not a list
        exchange.replyHeader(name, header.getValue());
      } else {
        headers.merge(name, header.getValue(), (one, more) -> one + ", " + more);
      }
    }
    headers.forEach(exchange::replyHeader);
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

  @Override
  public String name() {
    return "tee";
  }

  /**
   * Waits until the other server has what waits for it, and says what it has not. Nobody sends
   * anything any more.
   *
   * @param patience of which it takes a half, as others are stopped after it
   */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos() / 2;
    long before = report.unansweredSoFar();
    try {
      while (room.requests() > 0 && System.nanoTime() - until < 0) {
        LockSupport.parkNanos(LOOK_NANOS);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      lanes.stop();
      long left = room.requests() + report.unansweredSoFar() - before;
      if (left > 0) {
        LOG.log(
            Level.WARNING,
            "{0} requests were not sent to {1} (tee.url), or not answered by it, before the stop;"
                + " it may lack them",
            left,
            config.url());
      }
      other.close();
    }
  }
}
