package gilmok.sinks.redis;

import com.sun.management.OperatingSystemMXBean;
import gilmok.collect.json.JsonDecoder;
import gilmok.config.Settings;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.log.Stream;
import gilmok.redis.Redis;
import gilmok.redis.RedisServer;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures how many positions a second the sink alone writes to its own Redis on loopback, and the
 * processor time of each, in this process and in Redis.
 */
final class RedisSinkSpeed {
  private static final int RECORDS = 300;
  private static final int BATCHES = 1000;
  private static final int ROUNDS = 8;

  private RedisSinkSpeed() {}

  /**
   * @param args one: the folder for Redis
   */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(args[0]), "speed");
    try (RedisServer server = RedisServer.start(folder, "--appendonly", "no");
        Redis redis = new Redis(server.config(Map.of()))) {
      RedisSinkConfig config = RedisSinkConfig.from(new Settings(Map.of()), "redis");
      RedisSink sink = new RedisSink(config, redis, InstantSource.system());
      List<Batch> batches = batches();
      for (int round = 0; round < ROUNDS; round++) {
        // Without older positions, every fix is the newest, in each round.
        server.ask("FLUSHALL");
        long start = System.nanoTime();
        long processor = processorNanos();
        double theirs = redisSeconds(server);
        for (Batch batch : batches) {
          if (!(sink.send(batch) instanceof Verdict.Done)) {
            throw new AssertionError("not done");
          }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double positions = BATCHES * RECORDS;
        System.out.printf(
            "%,.0f positions/s; a position: %.2f us of Java, %.2f us of Redis%n",
            positions / seconds,
            (processorNanos() - processor) / 1e3 / positions,
            (redisSeconds(server) - theirs) * 1e6 / positions);
      }
      sink.close();
    }
  }

  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static double redisSeconds(RedisServer server) throws InterruptedException {
    return server
        .texts("INFO", "cpu")
        .getFirst()
        .lines()
        .filter(line -> line.matches("used_cpu_(sys|user):.*"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
        .sum();
  }

  private static List<Batch> batches() {
    JsonDecoder decoder = new JsonDecoder();
    Events events = new Events();
    List<Batch> batches = new ArrayList<>();
    long now = System.currentTimeMillis();
    long sequence = 0;
    for (int b = 0; b < BATCHES; b++) {
      Batch batch = new Batch(Positions.NODE);
      for (int i = 0; i < RECORDS; i++) {
        String json =
            ("{\"riderId\":\"rider-%05d\",\"at\":%d,\"lat\":%.7f,\"lon\":%.7f,\"accuracy\":5.5,"
                    + "\"speed\":7.25,\"bearing\":123.5,\"altitude\":38.2,\"battery\":0.87,"
                    + "\"provider\":\"gps\",\"id\":\"%x\"}")
                .formatted(
                    sequence * 7919 % 5000,
                    now + sequence,
                    37.4 + sequence % 977 / 5e3,
                    126.8 + sequence % 1009 / 5e3,
                    sequence);
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        events.clear();
        decoder.decode(EventKind.POSITION, body, 0, body.length, events);
        batch.add(
            Stream.TRACES,
            ++sequence,
            now + sequence,
            events.bytes(),
            events.offset(0),
            events.length(0));
      }
      batches.add(batch);
    }
    return batches;
  }
}
