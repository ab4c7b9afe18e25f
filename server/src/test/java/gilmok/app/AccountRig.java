package gilmok.app;

import gilmok.audit.AuditRig;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.collect.ActionRule;
import gilmok.collect.CollectConfig;
import gilmok.collect.CollectMeters;
import gilmok.collect.CollectRoutes;
import gilmok.collect.SingleRecordCollector;
import gilmok.config.Settings;
import gilmok.event.DedupKey;
import gilmok.http.HttpConfig;
import gilmok.http.HttpListener;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.ledger.LedgerRoutes;
import gilmok.ledger.NodeAddresses;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequests;
import gilmok.privacy.Consents;
import gilmok.privacy.MemoryConsents;
import gilmok.sinks.Batch;
import gilmok.sinks.Receipts;
import gilmok.sinks.Sink;
import gilmok.sinks.SinkConfig;
import gilmok.sinks.SinkLimits;
import gilmok.sinks.Sinks;
import gilmok.sinks.SinksContext;
import gilmok.sinks.Tuning;
import gilmok.sinks.Verdict;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A log, collecting, one sink whose verdicts a test chooses, and the account's routes, over HTTP on
 * a free port of loopback.
 */
final class AccountRig implements AutoCloseable {
  static final String SINK = "test-sink";
  static final NodeId NODE = new NodeId(42);
  private static final byte[] SECRET = new byte[DedupKey.SECRET_BYTES];
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SinkLimits LIMITS = new SinkLimits(500, 1 << 20, 8);

  /** Segments of 64 KiB, at most 10 of them, kept for a day. */
  private static final LogConfig SMALL =
      new LogConfig(
          1 << 16, 1 << 14, 200, 10L << 16, Duration.ofDays(1), 50_000, Duration.ofMillis(20));

  final AtomicLong now = new AtomicLong(Instant.parse("2026-03-01T09:00:00Z").toEpochMilli());
  final TestSink sink = new TestSink();
  final Log log;
  final Sinks sinks;
  final NodeLog.SinkAcks acks;
  private final Receipts receipts;
  private final AuditRig audited;
  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private final HttpListener listener;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  /** An answer: its status, its body, and when to try again. */
  record Reply(int status, String body, String retryAfter) {
    JsonNode json() {
      return JSON.readTree(body);
    }
  }

  /** A sink whose verdicts a test chooses. It keeps the sequences that it was sent. */
  static final class TestSink implements Sink {
    final Queue<Long> sent = new ConcurrentLinkedQueue<>();
    volatile Function<Batch, Verdict> answer = TestSink::done;
    volatile boolean isDurable = true;

    static Verdict done(Batch batch) {
      StreamCounts counts = new StreamCounts();
      for (int i = 0; i < batch.size(); i++) {
        counts.add(batch.stream(i));
      }
      return new Verdict.Done(counts, "place of " + batch.sequence(0));
    }

    @Override
    public String kind() {
      return "test";
    }

    @Override
    public boolean isOrdered() {
      return false;
    }

    @Override
    public boolean isDurable() {
      return isDurable;
    }

    @Override
    public Verdict send(Batch batch) {
      Verdict verdict = answer.apply(batch);
      for (int i = 0; i < batch.size(); i++) {
        sent.add(batch.sequence(i));
      }
      return verdict;
    }

    @Override
    public void close() {}
  }

  AccountRig(Path data, boolean hasSink) throws Exception {
    this(data, hasSink, CollectConfig.from(new Settings(Map.of())));
  }

  /** A rig whose sink may acknowledge what is collected; it then ships the quarantine, too. */
  AccountRig(Path data, boolean hasSink, CollectConfig collecting) throws Exception {
    InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    log =
        Log.open(
            SMALL,
            new LogContext(
                new FileDisk(), clock, new Random(1), keys(), LogMeter.NONE, failures::add),
            data,
            NODE);
    audited = new AuditRig(data.resolve("audited"));
    receipts =
        Receipts.open(
            new FileDisk(), data.resolve("receipts"), Duration.ofDays(30), 1 << 30, clock);
    acks = new NodeLog.SinkAcks(collecting.ack());
    if (acks.plan() != null) {
      log.early().begin();
    }
    SinkConfig config =
        new SinkConfig(
            SINK,
            acks.plan() == null
                ? Set.of(Stream.TRACES, Stream.LOGS)
                : Set.of(Stream.TRACES, Stream.ACTIONS, Stream.LOGS, Stream.QUARANTINE),
            new Tuning(10, 1 << 16, Duration.ofMillis(1), 4),
            LIMITS,
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            SinkConfig.From.OLDEST);
    sinks =
        Sinks.start(
            log,
            new SinksContext(
                clock,
                new Random(7),
                keys(),
                meters,
                new SlowRequests(System::nanoTime),
                Duration.ofMillis(1),
                acks.plan()),
            hasSink ? List.of(new Sinks.Configured(config, sink, receipts)) : List.of());
    acks.began(sinks.shippers());
    CollectMeters collected = new CollectMeters(meters, acks.plan() != null);
    Consents consents = MemoryConsents.nobody(meters);
    List<Route> routes =
        new ArrayList<>(
            new CollectRoutes(
                    collecting,
                    log::append,
                    new ActionRule(_ -> false, true),
                    acks.rule(),
                    NODE.toString(),
                    SECRET,
                    collected,
                    consents)
                .routes());
    SingleRecordCollector single =
        new SingleRecordCollector(log::append, acks.rule(), SECRET, collected, consents);
    routes.addAll(
        new LedgerRoutes(
                log,
                sinks,
                Map.of(SINK, receipts),
                NodeAddresses.NONE,
                LedgerModule.recollector(single),
                audited.audit,
                clock,
                offloads)
            .routes());
    Principal operator = new Principal("o", "operator", Set.of(Scope.COLLECT, Scope.OPERATE), null);
    Principal reader = new Principal("r", "reader", Set.of(Scope.COLLECT, Scope.READ), null);
    listener =
        new HttpListener(
            HttpConfig.from(new Settings(Map.of("http.host", "127.0.0.1", "http.port", "0"))),
            routes,
            (key, authorization, parameter, session) -> "op".equals(key) ? operator : reader);
    listener.start();
  }

  private static RecordKeys keys() {
    DedupKey repeat = new DedupKey(SECRET);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }

  List<Route> routes() {
    return listener.routes();
  }

  Reply get(String path) throws IOException, InterruptedException {
    return send("op", "GET", path, "");
  }

  Reply post(String path, String body) throws IOException, InterruptedException {
    return send("op", "POST", path, body);
  }

  Reply send(String key, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + path))
            .method(method, BodyPublishers.ofString(body))
            .header("X-Api-Key", key)
            .header("Content-Type", "application/json")
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    String retryAfter = response.headers().firstValue("Retry-After").orElse("");
    return new Reply(response.statusCode(), response.body(), retryAfter);
  }

  /** The sink, as its own route shows it. */
  JsonNode shown() throws IOException, InterruptedException {
    return get("/v1/sinks/" + SINK).json();
  }

  /** What became of a record at the sink, by the record's receipt. */
  JsonNode fate(long sequence) throws IOException, InterruptedException {
    return get("/v1/receipts/" + NODE + ":" + sequence).json().path("sinks").path(0);
  }

  /** A condition that a test waits for. */
  interface Question {
    boolean isSo() throws IOException, InterruptedException;
  }

  static void await(Question question) throws IOException, InterruptedException {
    long end = System.nanoTime() + 30_000_000_000L;
    while (!question.isSo()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come");
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  /** Waits until no record waits for the sink. */
  void awaitSettled() throws IOException, InterruptedException {
    await(() -> shown().path("waiting").asLong() == 0);
  }

  @Override
  public void close() throws IOException {
    listener.close();
    try {
      sinks.drain(Duration.ofSeconds(5));
    } catch (InterruptedException hurried) {
      throw new AssertionError(hurried);
    }
    audited.close();
    receipts.close();
    log.close();
    offloads.close();
    meters.close();
    client.close();
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.peek());
    }
  }
}
