package gilmok.cache;

import static gilmok.cache.CacheRig.value;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.redis.Redis;
import gilmok.redis.RedisReply;
import gilmok.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three caches, each with a client of its own, with a real Redis. The test moves their clock, so
 * that values age when it wants; in Redis they live for minutes.
 */
@Tag("engine")
@Timeout(120)
final class RedisTierIT {
  private static final CacheConfig CONFIG =
      new CacheConfig(
          1 << 20,
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          64,
          1000,
          Duration.ofMinutes(1),
          Duration.ofSeconds(20));

  private static final int PROCESSES = 3;

  @TempDir Path folder;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger loads = new AtomicInteger();
  private volatile String value = "a";
  private volatile @Nullable CountDownLatch held;
  private volatile @Nullable CountDownLatch loading;

  private final class Node implements AutoCloseable {
    final Redis redis;
    final RedisTier shared;
    final SingleFlightCache<String> cache;
    final AtomicInteger own = new AtomicInteger();
    final Meters meters = new Meters();

    Node(RedisServer server, Map<String, String> more) {
      redis = new Redis(server.config(more));
      shared = new RedisTier(redis, "texts", CONFIG);
      CacheEnvironment real = CacheEnvironment.real("cache");
      cache =
          new SingleFlightCache<>(
              "texts",
              CONFIG,
              this::load,
              new Texts(),
              shared,
              meters,
              new CacheEnvironment(nanos::get, real.chance(), real.loaders(), real.rest()));
    }

    private String load(String key) throws InterruptedException {
      loads.incrementAndGet();
      own.incrementAndGet();
      String loaded = key + value;
      CountDownLatch told = loading;
      CountDownLatch until = held;
      if (told != null) {
        told.countDown();
      }
      if (until != null) {
        until.await();
      }
      return loaded;
    }

    LoadResult<String> get(String key) {
      return cache.get(key).join();
    }

    double metric(String last) {
      return CacheRig.metric(meters, last);
    }

    @Override
    public void close() {
      shared.close();
      redis.close();
    }
  }

  private List<Node> nodes(RedisServer server) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      nodes.add(new Node(server, Map.of()));
    }
    return nodes;
  }

  /** All nodes get the key at the same moment, four times each. */
  private static List<CompletableFuture<LoadResult<String>>> together(List<Node> nodes)
      throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    List<CompletableFuture<LoadResult<String>>> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (Node node : nodes) {
      for (int i = 0; i < 4; i++) {
        CompletableFuture<LoadResult<String>> got = new CompletableFuture<>();
        all.add(got);
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        ready.await();
                        got.complete(node.get("k"));
                      } catch (InterruptedException interrupted) {
                        got.completeExceptionally(interrupted);
                      }
                    }));
      }
    }
    ready.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    return all;
  }

  private static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void get_threeProcesses_loadOnceForEachExpiry() throws Exception {
    try (RedisServer server = RedisServer.any(folder)) {
      List<Node> nodes = nodes(server);
      assertThat(together(nodes)).allMatch(got -> got.join().equals(value("ka")));
      assertThat(loads).hasValue(1);
      for (int expiry = 1; expiry <= 30; expiry++) {
        String before = "k" + value;
        value = "a" + expiry;
        // In turn: stale but still answered while refreshed, or so old that all callers wait.
        boolean waits = expiry % 2 == 0;
        nanos.addAndGet(CONFIG.ttl().plus(waits ? CONFIG.staleMax() : Duration.ZERO).toNanos());
        LoadResult<String> first = value(waits ? "k" + value : before);
        LoadResult<String> second = value("k" + value);
        assertThat(together(nodes))
            .allMatch(got -> got.join().equals(first) || got.join().equals(second));
        until(() -> nodes.stream().allMatch(node -> node.get("k").equals(second)));
        assertThat(loads).as("expiry " + expiry).hasValue(1 + expiry);
      }
      nodes.forEach(Node::close);
    }
  }

  @Test
  void get_redisKilledAndBack_isLoadedByEachWithoutAnError() throws Exception {
    try (RedisServer server = RedisServer.start(folder)) {
      List<Node> nodes = nodes(server);
      together(nodes);
      assertThat(loads).hasValue(1);
      server.kill();
      value = "b";
      nanos.addAndGet(CONFIG.ttl().plus(CONFIG.staleMax()).toNanos());
      assertThat(together(nodes)).allMatch(got -> got.join().equals(value("kb")));
      assertThat(nodes).allMatch(node -> node.own.get() <= 2);
      assertThat(loads).hasValue(1 + PROCESSES);
      together(nodes);
      assertThat(loads).hasValue(1 + PROCESSES);
      server.restart();
      // The nodes try Redis again after a while; then they share again.
      value = "c";
      AtomicInteger tries = new AtomicInteger();
      until(() -> isSharedAgain(nodes, "after" + tries.incrementAndGet()));
      nodes.forEach(Node::close);
    }
  }

  private boolean isSharedAgain(List<Node> nodes, String key) {
    assertThat(nodes.get(0).get(key)).isEqualTo(value(key + "c"));
    int before = loads.get();
    assertThat(nodes.get(1).get(key)).isEqualTo(value(key + "c"));
    return loads.get() == before;
  }

  @Test
  void forget_slowLoadElsewhere_isNotUndone() throws Exception {
    try (RedisServer server = RedisServer.any(folder)) {
      List<Node> nodes = nodes(server);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      loading = begun;
      held = release;
      CompletableFuture<LoadResult<String>> slow = nodes.get(0).cache.get("k");
      begun.await();
      held = null;
      value = "b";
      nodes.get(1).cache.forget("k");
      assertThat(nodes.get(1).get("k")).isEqualTo(value("kb"));
      release.countDown();
      assertThat(slow.join()).isEqualTo(value("ka"));
      // Calls share one connection, in order: once this one is answered, the store is done.
      nodes.get(0).get("other");
      assertThat(nodes.get(2).get("k")).isEqualTo(value("kb"));
      nodes.forEach(Node::close);
    }
  }

  @Test
  void aChange_isSeenByAllOthers_alsoOneMadeWhileRedisWasAway() throws Exception {
    try (RedisServer server = RedisServer.start(folder)) {
      List<Node> nodes = nodes(server);
      List<CacheChanges> changes = new ArrayList<>();
      for (Node node : nodes) {
        BackgroundLoops loops = new BackgroundLoops(_ -> {});
        changes.add(new CacheChanges("texts", node.cache, node.shared, loops));
        changes.getLast().start();
      }
      until(() -> nodes.stream().allMatch(node -> node.metric("dropped_all_total") == 1));
      together(nodes);
      change(nodes.get(0), "b");
      until(() -> nodes.stream().allMatch(node -> node.get("k").equals(value("kb"))));
      assertThat(nodes.get(0).metric("dropped_total")).as("its own").isZero();
      assertThat(nodes.get(1).metric("dropped_total")).isEqualTo(1);
      server.kill();
      change(nodes.get(0), "c");
      assertThat(nodes.get(0).get("k")).isEqualTo(value("kc"));
      assertThat(nodes.get(1).get("k")).as("it cannot know").isEqualTo(value("kb"));
      server.restart();
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
      until(() -> nodes.stream().allMatch(node -> node.get("k").equals(value("kc"))));
      // By hand: one without a key, and entries of which nothing can be learned.
      double before = nodes.get(2).metric("dropped_all_total");
      server.ask("XADD", "gilmok:texts-changes", "*", "by", "x", "key", "y".repeat(10_000));
      until(() -> nodes.get(2).metric("dropped_all_total") > before);
      changes.forEach(CacheChanges::close);
      nodes.forEach(Node::close);
    }
  }

  private void change(Node node, String to) {
    value = to;
    node.cache.forget("k");
  }

  @Test
  void ask_underStrangeValues_isLoadedAndPutRight() throws Exception {
    try (RedisServer server = RedisServer.any(folder)) {
      List<Node> nodes = nodes(server);
      server.ask("SET", "gilmok:texts{:short}", "x", "PX", "600000");
      server.ask("SET", "gilmok:texts{:stays}", "0123456789abvalue");
      server.ask("SET", "gilmok:texts{:other}", "0123456789abx", "PX", "600000");
      server.ask("LPUSH", "gilmok:texts{:list}", "x");
      for (String key : List.of("short", "stays", "other", "list")) {
        assertThat(nodes.get(0).get(key)).isEqualTo(value(key + "a"));
        assertThat(nodes.get(1).get(key)).isEqualTo(value(key + "a"));
      }
      nodes.forEach(Node::close);
    }
  }

  /** Protects the table of package-info, and 5 MB/s for 10,000 gets a second. */
  @Test
  void ask_thatFindsTheValue_takesFewBytes() throws Exception {
    try (RedisServer server = RedisServer.start(folder)) {
      List<Node> nodes = nodes(server);
      value = "x".repeat(187);
      nodes.get(0).get("rider-12345678");
      until(() -> isThere(server, "rider-12345678"));
      nodes.get(1).get("rider-12345678");
      long in = stat(server, "total_net_input_bytes");
      long out = stat(server, "total_net_output_bytes");
      long statsOut = stat(server, "total_net_output_bytes") - out;
      long statsIn = stat(server, "total_net_input_bytes") - in;
      out = stat(server, "total_net_output_bytes");
      in = stat(server, "total_net_input_bytes");
      int gets = 1000;
      for (int i = 0; i < gets; i++) {
        SharedTier.Told told = nodes.get(1).shared.ask("rider-12345678", null);
        assertThat(told).isInstanceOf(SharedTier.Found.class);
      }
      long asked = stat(server, "total_net_input_bytes") - in;
      long told = stat(server, "total_net_output_bytes") - out;
      int key = "gilmok:texts{:rider-12345678}".length();
      int bytes = 1 + "rider-12345678".length() + 187;
      assertThat(asked).isBetween(gets * (110L + 2 * key), gets * (114L + 2 * key) + 2 * statsIn);
      assertThat(told).isBetween(gets * (30L + bytes), gets * (36L + bytes) + 2 * statsOut);
      assertThat((asked + told) / gets).isLessThan(500);
      nodes.forEach(Node::close);
    }
  }

  @Test
  void keys_ofACluster_lieInOneSlot() throws Exception {
    try (RedisServer server = RedisServer.start(folder, "--cluster-enabled", "yes")) {
      assertThat(server.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383"))
          .isInstanceOf(RedisReply.Bytes.class);
      until(() -> texts(server, "CLUSTER", "INFO").contains("cluster_state:ok"));
      try (Node first = new Node(server, Map.of("redis.cluster", "true"));
          Node second = new Node(server, Map.of("redis.cluster", "true"))) {
        for (String key :
            List.of("k", "}", "{}", "}{", "{a}b", "a}b{", "김 길목", "", "x".repeat(128))) {
          int before = loads.get();
          assertThat(first.get(key)).isEqualTo(value(key + "a"));
          until(() -> isThere(server, key));
          assertThat(second.get(key)).isEqualTo(value(key + "a"));
          assertThat(loads).as(key).hasValue(before + 1);
          assertThat(second.shared.forget(key)).isTrue();
        }
      }
    }
  }

  private static boolean isThere(RedisServer server, String key) {
    return !texts(server, "GET", "gilmok:texts{:" + key + "}").isEmpty();
  }

  private static long stat(RedisServer server, String name) {
    String start = name + ":";
    return texts(server, "INFO", "stats")
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> Long.parseLong(line.substring(start.length()).strip()))
        .findFirst()
        .orElseThrow();
  }

  private static String texts(RedisServer server, String name, String... words) {
    try {
      return String.join("", server.texts(name, words));
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
