package gilmok.deliveries;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.background.BackgroundLoops;
import gilmok.collect.AckRule;
import gilmok.collect.ActionRule;
import gilmok.collect.CollectConfig;
import gilmok.collect.CollectMeters;
import gilmok.collect.CollectRoutes;
import gilmok.config.Settings;
import gilmok.event.DedupKey;
import gilmok.http.HttpConfig;
import gilmok.http.HttpListener;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.RecordKeys;
import gilmok.observe.Meters;
import gilmok.privacy.MemoryConsents;
import gilmok.retention.DocumentRetention;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Collecting and deliveries over HTTP. Their SQLite store can be made to fail or to block. */
final class OutageRig implements AutoCloseable {
  /** The most requests that may use the store at once. */
  static final int AT_WORK_MAX = 4;

  private static final byte[] SECRET = new byte[DedupKey.SECRET_BYTES];
  private static final NodeId NODE = new NodeId(7);
  private static final LogConfig LOG =
      new LogConfig(
          1 << 20, 1 << 16, 200, 10L << 20, Duration.ofDays(1), 50_000, Duration.ofSeconds(1));

  final Moody store;
  final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private final SqliteRig sqlite;
  private final Log log;
  private final Deliveries deliveries;
  private final HttpListener listener;
  private final HttpClient client = HttpClient.newHttpClient();

  /** A store that fails while it is away and blocks while it is held. */
  static final class Moody implements DeliveryStore {
    volatile boolean isAway;
    volatile CountDownLatch hold = new CountDownLatch(0);
    private final DeliveryStore store;

    Moody(DeliveryStore store) {
      this.store = store;
    }

    private void ask() throws IOException, InterruptedException {
      hold.await();
      if (isAway) {
        throw new IOException("away");
      }
    }

    @Override
    public List<Creation> create(List<Wish> wishes) throws IOException, InterruptedException {
      ask();
      return store.create(wishes);
    }

    @Override
    public Moving move(String id, Move move) throws IOException, InterruptedException {
      ask();
      return store.move(id, move);
    }

    @Override
    public @Nullable Delivery act(String id, Move action) throws IOException, InterruptedException {
      ask();
      return store.act(id, action);
    }

    @Override
    public @Nullable Delivery find(String id) throws IOException, InterruptedException {
      ask();
      return store.find(id);
    }

    @Override
    public List<Delivery> list(Filter filter, @Nullable String before, int limit)
        throws IOException, InterruptedException {
      ask();
      return store.list(filter, before, limit);
    }

    @Override
    public List<Delivery> after(String id, int limit) throws IOException, InterruptedException {
      ask();
      return store.after(id, limit);
    }

    @Override
    public String removedTo() throws IOException, InterruptedException {
      ask();
      return store.removedTo();
    }

    @Override
    public List<Optional<Delivery>> restore(List<Delivery> past)
        throws IOException, InterruptedException {
      ask();
      return store.restore(past);
    }
  }

  OutageRig(Path folder) throws IOException, InterruptedException {
    InstantSource clock = InstantSource.system();
    sqlite = new SqliteRig(folder, clock);
    store = new Moody(sqlite.deliveries());
    log =
        Log.open(
            LOG,
            new LogContext(
                new FileDisk(),
                clock,
                new Random(1),
                keys(),
                LogMeter.NONE,
                failure -> {
                  throw new AssertionError(failure);
                }),
            folder,
            NODE);
    Random random = new Random(3);
    deliveries =
        new Deliveries(
            new DeliveriesConfig(AT_WORK_MAX, "KRW", false, Duration.ZERO),
            store,
            sqlite.outbox(),
            new DocumentRetention<>(
                DeliveryRemoval.KIND,
                () -> Duration.ZERO,
                4,
                (name, _) -> {
                  throw new AssertionError("everything is kept: " + name);
                },
                sqlite.removal()),
            new DeliveriesContext(
                log,
                keys(),
                meters,
                offloads,
                clock,
                BackgroundLoops.unwatched(),
                sqlite.unreadable(),
                () -> random,
                _ -> true),
            _ -> {});
    List<Route> routes = new ArrayList<>(deliveries.routes());
    routes.addAll(
        new CollectRoutes(
                CollectConfig.from(new Settings(Map.of())),
                log::append,
                new ActionRule(_ -> false, true),
                AckRule.DISK,
                NODE.toString(),
                SECRET,
                new CollectMeters(meters, false),
                MemoryConsents.nobody(meters))
            .routes());
    Principal fleet =
        new Principal("k", "fleet", Set.of(Scope.COLLECT, Scope.READ, Scope.OPERATE), null);
    listener =
        new HttpListener(
            HttpConfig.from(new Settings(Map.of("http.host", "127.0.0.1", "http.port", "0"))),
            routes,
            (key, authorization, parameter, session) -> fleet);
    listener.start();
    deliveries.start();
  }

  private static RecordKeys keys() {
    DedupKey repeat = new DedupKey(SECRET);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }

  private HttpRequest request(String method, String path, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + path))
        .method(method, BodyPublishers.ofString(body))
        .header("X-Api-Key", "k")
        .header("Content-Type", "application/json")
        .build();
  }

  HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return client.send(request(method, path, body), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> begin(String method, String path, String body) {
    return client.sendAsync(request(method, path, body), BodyHandlers.ofString());
  }

  /** Creates a delivery, assigns it to rider r-1 and returns its id. */
  String assigned(String orderId) throws IOException, InterruptedException {
    String place = "{\"lat\":37.5,\"lon\":127.0,\"address\":\"A\"}";
    String body =
        send(
                "POST",
                "/v1/deliveries",
                "{\"orderId\":\"%s\",\"shopId\":\"s\",\"pickup\":%s,\"dropoff\":%s}"
                    .formatted(orderId, place, place))
            .body();
    String id = body.substring(7, 7 + DeliveryId.CHARS);
    send("POST", "/v1/deliveries/" + id + "/accept", "");
    send("POST", "/v1/deliveries/" + id + "/assign", "{\"riderId\":\"r-1\"}");
    return id;
  }

  /** The value of a metric; its name includes the labels. */
  double metric(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  static void await(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + 30_000_000_000L;
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Override
  public void close() throws IOException {
    store.isAway = false;
    store.hold.countDown();
    listener.close();
    try {
      deliveries.drain(Duration.ofSeconds(10));
    } catch (InterruptedException hurried) {
      throw new AssertionError(hurried);
    }
    sqlite.close();
    log.close();
    offloads.close();
    meters.close();
    client.close();
  }
}
