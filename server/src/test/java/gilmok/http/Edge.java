package gilmok.http;

import gilmok.auth.Binding;
import gilmok.auth.Denial;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.compress.ContentCoding;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A listener with a few routes on a free loopback port, for tests. */
final class Edge implements AutoCloseable, RequestMeter {
  static final int BODY_BYTES_MAX = 4 << 20;
  static final String KEY = "good";

  final HttpListener listener;
  private final String scheme;
  final Meters meters = new Meters();
  final Offloads offloads = new Offloads(meters);
  private final ConcurrentHashMap<Refusal, Integer> refused = new ConcurrentHashMap<>();
  final AtomicInteger answered = new AtomicInteger();
  final AtomicLong lags = new AtomicLong();

  /** How many bodies were compressed, or tried. */
  final AtomicInteger packed = new AtomicInteger();

  /** The exchanges of {@code POST /hold}, which the test answers. */
  final BlockingQueue<Exchange> held = new ArrayBlockingQueue<>(10_000);

  /** How many clients of {@code POST /hold} left before they were answered. */
  final AtomicInteger gone = new AtomicInteger();

  /** The streams that {@code GET /stream} has begun. */
  final BlockingQueue<ReplyStream> streams = new ArrayBlockingQueue<>(10_000);

  /** The handler of {@code GET /bug}. */
  volatile Consumer<Exchange> bug =
      exchange -> {
        throw new IllegalStateException("a bug");
      };

  final Map<Thread, Thread> loopThreads = new ConcurrentHashMap<>();
  final Readiness readiness = new Readiness();

  Edge() throws Exception {
    this(config -> config);
  }

  Edge(UnaryOperator<EdgeConfig> changed) throws Exception {
    List<Route> routes = new ArrayList<>(HealthRoutes.health(readiness, "1.2.3"));
    routes.add(
        HealthRoutes.metrics(
            () -> "up 1\n".getBytes(StandardCharsets.UTF_8), HealthRoutes.scrapes(offloads)));
    routes.addAll(Texts.routes());
    routes.add(
        route("POST", "/echo", Scope.COLLECT, OwnershipRule.IN_BODY, Priority.TRACES, this::echo));
    routes.add(
        route("POST", "/hold", Scope.COLLECT, OwnershipRule.IN_BODY, Priority.TRACES, this::hold));
    routes.add(
        route("POST", "/act", Scope.COLLECT, OwnershipRule.IN_BODY, Priority.ACTIONS, this::echo));
    routes.add(
        route(
            "GET",
            "/riders/{id}/position",
            Scope.READ,
            OwnershipRule.RIDER_IN_PATH,
            Priority.READS,
            exchange -> text(exchange, exchange.pathParameter("id"))));
    routes.add(
        route(
            "GET",
            "/riders/all/position",
            Scope.READ,
            OwnershipRule.UNBOUND_ONLY,
            Priority.READS,
            exchange -> text(exchange, "everybody")));
    routes.add(
        route(
            "GET",
            "/query",
            Scope.READ,
            OwnershipRule.UNBOUND_ONLY,
            Priority.READS,
            exchange ->
                text(
                    exchange,
                    exchange.query("q") + (exchange.bodyLength() == 0 ? "" : " and a body"))));
    routes.add(
        route(
                "GET",
                "/v1/audit",
                Scope.READ,
                OwnershipRule.UNBOUND_ONLY,
                Priority.READS,
                exchange -> text(exchange, "of " + exchange.query("key")))
            .queriedBy("key"));
    routes.add(
        route(
            "POST",
            "/invalid",
            Scope.COLLECT,
            OwnershipRule.IN_BODY,
            Priority.TRACES,
            exchange -> exchange.refuse(Refusal.INVALID, "positions[0].\"lat\"", "not a\nnumber")));
    routes.add(
        route(
            "POST",
            "/invalid/{field}",
            Scope.COLLECT,
            OwnershipRule.IN_BODY,
            Priority.TRACES,
            exchange ->
                exchange.refuse(
                    Refusal.INVALID, exchange.pathParameter("field"), reason(exchange))));
    routes.add(
        route(
            "GET",
            "/bug",
            Scope.READ,
            OwnershipRule.UNBOUND_ONLY,
            Priority.READS,
            exchange -> bug.accept(exchange)));
    routes.add(
        route(
            "GET",
            "/large",
            Scope.READ,
            OwnershipRule.UNBOUND_ONLY,
            Priority.READS,
            exchange -> text(exchange, "x".repeat(1 << 20))));
    routes.add(
        route(
            "GET",
            "/stream",
            Scope.READ,
            OwnershipRule.IN_QUERY,
            Priority.READS,
            exchange -> streams.add(exchange.stream("text/event-stream"))));
    routes.add(
        new Route(
            "GET",
            "/",
            null,
            OwnershipRule.OPEN,
            Priority.READS,
            0,
            exchange -> text(exchange, "page")));
    routes.add(
        route("GET", "/?id", Scope.COLLECT, OwnershipRule.PHONE, Priority.TRACES, this::phone));
    routes.add(
        route("POST", "/", Scope.COLLECT, OwnershipRule.PHONE, Priority.TRACES, this::phone));
    HttpConfig config = changed.apply(new EdgeConfig()).config();
    scheme = config.tls() == null ? "http" : "https";
    listener = new HttpListener("http", config, routes, Edge::check, this);
    listener.start();
  }

  private static Route route(
      String method,
      String path,
      Scope scope,
      OwnershipRule ownershipRule,
      Priority priority,
      Route.Handler does) {
    int bytes = method.equals("GET") ? 0 : BODY_BYTES_MAX;
    return new Route(method, path, scope, ownershipRule, priority, bytes, does);
  }

  static void text(Exchange exchange, String text) {
    exchange.reply(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String reason(Exchange exchange) {
    return new String(
        exchange.bodyBytes(), exchange.bodyOffset(), exchange.bodyLength(), StandardCharsets.UTF_8);
  }

  private void hold(Exchange exchange) {
    exchange.whenGone(gone::incrementAndGet);
    held.add(exchange);
  }

  private void echo(Exchange exchange) {
    loopThreads.put(Thread.currentThread(), Thread.currentThread());
    int from = exchange.bodyOffset();
    exchange.reply(
        200,
        "application/octet-stream",
        Arrays.copyOfRange(exchange.bodyBytes(), from, from + exchange.bodyLength()));
  }

  /** Answers with what it received: the query, the body's length and the body's error. */
  private void phone(Exchange exchange) {
    text(
        exchange,
        exchange.queryString() + " " + exchange.bodyLength() + " " + exchange.bodyFault());
  }

  static gilmok.auth.AuthResult check(
      @Nullable String apiKey,
      @Nullable String authorization,
      @Nullable String parameter,
      @Nullable String session) {
    String shown = apiKey != null ? apiKey : authorization != null ? authorization : parameter;
    String key = shown != null ? shown : session;
    if (key == null) {
      return Denial.MISSING;
    }
    return switch (key) {
      case KEY, "Bearer good" -> new Principal("1", "all", Set.of(Scope.values()), null);
      case "reader" -> new Principal("2", "reader", Set.of(Scope.READ), null);
      case "anna" ->
          new Principal(
              "3",
              "anna",
              Set.of(Scope.READ, Scope.COLLECT),
              new Binding(Binding.Kind.RIDER, "anna/1"));
      case "expired" -> Denial.EXPIRED;
      case "fast" -> Denial.TOO_FAST;
      default -> key.equals("crowded") ? Denial.CROWDED : Denial.UNKNOWN;
    };
  }

  URI uri(String path) {
    return URI.create(scheme + "://127.0.0.1:" + listener.port() + path);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path))
        .header("X-Api-Key", KEY)
        .timeout(Duration.ofSeconds(20));
  }

  static HttpClient client(HttpClient.Version version) {
    return HttpClient.newBuilder().version(version).build();
  }

  Wire wire() throws IOException {
    return new Wire(listener.port());
  }

  int count(Refusal refusal) {
    return refused.getOrDefault(refusal, 0);
  }

  /** Waits until the condition holds; fails after 20 s. */
  static void await(BooleanSupplier so) throws InterruptedException {
    for (long until = System.nanoTime() + 20_000_000_000L; !so.getAsBoolean(); ) {
      if (System.nanoTime() > until) {
        throw new AssertionError("did not happen within 20 s");
      }
      Thread.sleep(5);
    }
  }

  /** Whether no request is under way and no room for bodies is taken. */
  boolean isEmpty() {
    return listener.requestsUnderWay() == 0 && listener.bodyBytes() == 0;
  }

  @Override
  public void answered(Route r, int status, CallerMeter c, long nanos, long size, RequestTimes t) {
    answered.incrementAndGet();
  }

  @Override
  public void refused(Refusal refusal) {
    refused.merge(refusal, 1, Integer::sum);
  }

  @Override
  public void packed(ContentCoding coding, int bytesBefore, int bytesAfter, long nanos) {
    packed.incrementAndGet();
  }

  @Override
  public LoopMeter loop(String name, IntSupplier pendingTasks, DoubleSupplier refusedShare) {
    return new LoopMeter() {
      @Override
      public void lag(long nanos) {
        lags.incrementAndGet();
      }
    };
  }

  @Override
  public void close() {
    listener.close();
    offloads.close();
    meters.close();
  }
}
