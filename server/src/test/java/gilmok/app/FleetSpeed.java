package gilmok.app;

import gilmok.background.BackgroundLoops;
import gilmok.collect.json.JsonDecoder;
import gilmok.config.Settings;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.redis.Redis;
import gilmok.redis.RedisServer;
import gilmok.sinks.Batch;
import gilmok.sinks.Sink;
import gilmok.sinks.Verdict;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.kafka.KafkaProcess;
import gilmok.sinks.kafka.KafkaSink;
import gilmok.sinks.redis.RedisSink;
import gilmok.sinks.redis.RedisSinkConfig;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Measures what it costs a node to follow another, over a Redis or a broker of Kafka on loopback:
 * the processor time of its threads at a rate of foreign positions, how long a start takes with so
 * many riders, and from the sending of a position at one node until a reader of a stream at the
 * other has it.
 */
final class FleetSpeed {
  private static final int RECORDS = 1000;
  private static final int BATCHES = 800;
  private static final int RIDERS = 50_000;
  private static final int SEEN = 1000;
  private static final NodeId ELSEWHERE = NodeId.parse("zyxwvutsrqpo");

  private FleetSpeed() {}

  /** What is between the nodes. */
  private interface Between extends AutoCloseable {
    /** The settings of a node that follows. */
    String[] settings();

    /** A sink of another node. */
    Sink sink();

    @Override
    void close() throws IOException;
  }

  /**
   * @param args the folder, the rate of foreign positions (0: as fast as they come), the rate of
   *     positions beside those whose way is measured, and {@code redis} or {@code kafka}
   */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(args[0]), "fleet");
    int rate = Integer.parseInt(args[1]);
    try (Between between = between(args[3], folder)) {
      String[] settings = between.settings();
      try (RunningServer node = RunningServer.start(folder.resolve("a"), settings)) {
        cost(between, node, rate);
      }
      restart(settings, folder.resolve("c"));
      try (RunningServer one = RunningServer.start(folder.resolve("a"), settings);
          RunningServer two = RunningServer.start(folder.resolve("b"), settings)) {
        seen(one, two, Integer.parseInt(args[2]));
      }
    }
  }

  private static Between between(String engine, Path folder) throws Exception {
    if (engine.equals("redis")) {
      RedisServer server = RedisServer.start(folder.resolve("redis"), "--appendonly", "no");
      return new OverRedis(server, new Redis(server.config(Map.of())));
    }
    return new OverKafka(KafkaProcess.start(Files.createDirectory(folder.resolve("kafka"))));
  }

  private record OverRedis(RedisServer server, Redis client) implements Between {
    @Override
    public String[] settings() {
      return new String[] {
        "sinks.enabled=redis",
        "redis.url=" + server.url(),
        "sinks.redis.batch-age-max=10 ms",
        "sinks.redis.batch-records-max=1000",
        "sinks.redis.stream-length-max=500000",
        "positions.follow=redis"
      };
    }

    @Override
    public Sink sink() {
      Map<String, String> settings = Map.of("sinks.redis.stream-length-max", "500000");
      RedisSinkConfig config = RedisSinkConfig.from(new Settings(settings), "redis");
      return new RedisSink(config, client, InstantSource.system());
    }

    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private record OverKafka(KafkaProcess broker) implements Between {
    private Map<String, String> keys() {
      return Map.of(
          "sinks.kafka.bootstrap-servers", broker.servers(),
          "sinks.kafka.latest-topic", "latest",
          "sinks.kafka.create-topics", "true",
          "sinks.kafka.partitions", "12",
          "sinks.kafka.min-insync-replicas", "1",
          "sinks.kafka.unsafe-min-insync-replicas", "true",
          "sinks.kafka.batch-age-max", "10 ms");
    }

    @Override
    public String[] settings() {
      List<String> all = new ArrayList<>(List.of("sinks.enabled=kafka", "positions.follow=kafka"));
      keys().forEach((key, value) -> all.add(key + "=" + value));
      return all.toArray(String[]::new);
    }

    @Override
    public Sink sink() {
      KafkaConfig config = KafkaConfig.from(new Settings(keys()), "kafka");
      return new KafkaSink(config, new Meters(), BackgroundLoops.unwatched());
    }

    @Override
    public void close() throws IOException {
      broker.close();
    }
  }

  private static void cost(Between between, RunningServer node, int rate) throws Exception {
    node.awaitReady();
    long own = threads(_ -> true).length;
    List<Long> before = Arrays.stream(threads(FleetSpeed::isFollowing)).boxed().toList();
    try (Sink one = between.sink();
        Sink two = between.sink()) {
      List<Batch> batches = batches();
      int warm = BATCHES / 4;
      fill(one, batches.subList(0, warm), rate / 2);
      awaitRead(node, warm);
      long begun = System.nanoTime();
      long processorBegun = processorNanos(before);
      Thread other = Thread.ofPlatform().start(() -> fill(one, half(batches, warm, 0), rate / 2));
      fill(two, half(batches, warm, 1), rate / 2);
      other.join();
      double filled = (System.nanoTime() - begun) / 1e9;
      awaitRead(node, BATCHES);
      double seconds = (System.nanoTime() - begun) / 1e9;
      double processor = (processorNanos(before) - processorBegun) / 1e9;
      double taken = RECORDS * (BATCHES - warm);
      System.out.printf(
          "%,.0f foreign positions/s from two sinks: %.3f of a processor, %.2f us each, in %d of %d"
              + " threads; read %.0f ms after the last was written, anew %.0f times%n",
          taken / filled,
          processor / seconds,
          processor * 1e6 / taken,
          before.size(),
          own,
          1e3 * (seconds - filled),
          node.metric("gilmok_positions_fleet_rebuilds_total"));
    }
  }

  private static List<Batch> half(List<Batch> batches, int from, int which) {
    return IntStream.range(from, batches.size())
        .filter(i -> i % 2 == which)
        .mapToObj(batches::get)
        .toList();
  }

  /** Sends batches by a sink, at a rate. */
  private static void fill(Sink sink, List<Batch> batches, int rate) {
    try {
      long begun = System.nanoTime();
      for (int i = 0; i < batches.size(); i++) {
        long due = begun + i * RECORDS * 1_000_000_000L / Math.max(1, rate);
        while (rate > 0 && System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        Verdict verdict = sink.send(batches.get(i));
        if (!(verdict instanceof Verdict.Done)) {
          throw new AssertionError(verdict);
        }
      }
    } catch (InterruptedException hurried) {
      throw new AssertionError(hurried);
    }
  }

  private static void awaitRead(RunningServer node, int batches) throws Exception {
    String read = "gilmok_positions_fleet_read_total{result=\"%s\"}";
    Program.await(
        () ->
            node.metric(read.formatted("taken")) + node.metric(read.formatted("older"))
                >= RECORDS * batches);
  }

  /** The follower's own thread, those that decode what Redis answers, Kafka's that asks. */
  private static boolean isFollowing(String thread) {
    return thread.equals("fleet")
        || thread.startsWith("lettuce")
        || thread.contains("-positions-topics");
  }

  private static long[] threads(Predicate<String> wanted) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(one -> one != null && wanted.test(one.getThreadName()))
        .mapToLong(ThreadInfo::getThreadId)
        .toArray();
  }

  private static long processorNanos(List<Long> ids) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return ids.stream().mapToLong(id -> Math.max(0, threads.getThreadCpuTime(id))).sum();
  }

  private static void restart(String[] settings, Path data) throws Exception {
    long begun = System.nanoTime();
    try (RunningServer node = RunningServer.start(data, settings)) {
      double started = (System.nanoTime() - begun) / 1e9;
      node.awaitReady();
      System.out.printf(
          "a start knows %,.0f riders after %.2f s, %.2f s after it listens%n",
          node.metric("gilmok_positions_riders"),
          (System.nanoTime() - begun) / 1e9,
          (System.nanoTime() - begun) / 1e9 - started);
    }
  }

  private static void seen(RunningServer one, RunningServer two, int rate) throws Exception {
    one.awaitReady();
    two.awaitReady();
    long[] millis = new long[SEEN];
    Thread beside = Thread.ofVirtual().start(() -> load(one, rate));
    try (HttpClient client = HttpClient.newHttpClient();
        EventStream stream = new EventStream(two, client, "rider=watched")) {
      for (int i = 0; i < SEEN / 10; i++) { // warms up
        once(one, stream);
      }
      for (int i = 0; i < SEEN; i++) {
        millis[i] = once(one, stream);
      }
    } finally {
      beside.interrupt();
      beside.join();
    }
    Arrays.sort(millis);
    System.out.printf(
        "seen by a stream of the other node, %,d/s beside: p50 %d ms, p99 %d ms, highest %d ms%n",
        rate, millis[SEEN / 2], millis[SEEN * 99 / 100], millis[SEEN - 1]);
  }

  private static long once(RunningServer one, EventStream stream) throws Exception {
    LockSupport.parkNanos((long) (Math.random() * 20_000_000));
    long begun = System.currentTimeMillis();
    String body = "{\"riderId\":\"watched\",\"at\":" + begun + ",\"lat\":1,\"lon\":1}";
    one.post("/v1/traces", body);
    String at = stream.next().json().get("at").asString();
    if (Instant.parse(at).toEpochMilli() != begun) {
      throw new AssertionError("another one: " + at);
    }
    return System.currentTimeMillis() - begun;
  }

  private static void load(RunningServer one, int rate) {
    try {
      long begun = System.nanoTime();
      for (long sent = 0; !Thread.interrupted(); sent += 100) {
        long due = begun + sent * 1_000_000_000L / Math.max(1, rate);
        LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
        StringBuilder body = new StringBuilder("[");
        for (int i = 0; i < 100 && rate > 0; i++) {
          body.append(i == 0 ? "" : ",").append(json((sent + i) % RIDERS, now()));
        }
        one.post("/v1/traces", body.append(']').toString());
      }
    } catch (InterruptedException over) {
      // As wanted.
    } catch (Exception wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  private static String json(long rider, long at) {
    return ("{\"riderId\":\"rider-%05d\",\"at\":%d,\"lat\":%.7f,\"lon\":%.7f,\"accuracy\":5.5,"
            + "\"speed\":7.25,\"bearing\":123.5,\"battery\":0.87}")
        .formatted(rider, at, 37.4 + at % 977 / 5e3, 126.8 + at % 1009 / 5e3);
  }

  private static List<Batch> batches() {
    JsonDecoder decoder = new JsonDecoder();
    Events events = new Events();
    List<Batch> batches = new ArrayList<>();
    long begun = now() - BATCHES * RECORDS;
    for (int b = 0; b < BATCHES; b++) {
      Batch batch = new Batch(ELSEWHERE);
      for (int i = 0; i < RECORDS; i++) {
        long sequence = (long) b * RECORDS + i;
        byte[] body =
            json(sequence * 7919 % RIDERS, begun + sequence).getBytes(StandardCharsets.UTF_8);
        decoder.decode(EventKind.POSITION, body, 0, body.length, events);
        batch.add(
            Stream.TRACES, sequence + 1, now(), events.bytes(), events.offset(0), events.length(0));
      }
      batches.add(batch);
    }
    return batches;
  }
}
