package gilmok.sinks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.redis.Redis;
import gilmok.redis.RedisServer;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A sink with a real Redis, and queries of what it wrote there. */
final class SinkRig implements AutoCloseable {
  static final long NOW = 1_800_000_000_000L;
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  final RedisServer server;
  final String prefix;
  final Redis redis;
  final RedisSink sink;
  final List<Verdict> verdicts = new ArrayList<>();

  /**
   * @param keysAndValues settings in turn: {@code redis.…} and {@code sinks.redis.…}
   */
  SinkRig(RedisServer server, String... keysAndValues) {
    this.server = server;
    Map<String, String> sinkSettings = new HashMap<>();
    Map<String, String> redisSettings = new HashMap<>();
    redisSettings.put("redis.prefix", "test-" + Long.toHexString(System.nanoTime()));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      String key = keysAndValues[i];
      (key.startsWith("redis.") ? redisSettings : sinkSettings).put(key, keysAndValues[i + 1]);
    }
    redis = new Redis(server.config(redisSettings));
    prefix = redis.prefix();
    RedisSinkConfig config = RedisSinkConfig.from(new Settings(sinkSettings), "redis");
    sink = new RedisSink(config, redis, InstantSource.fixed(Instant.ofEpochMilli(NOW)));
  }

  Verdict send(Positions positions) throws InterruptedException {
    return sink.send(positions.batch());
  }

  /** Sends until every record is there, as the shipper does; returns how many were acknowledged. */
  long ship(Positions positions) throws InterruptedException {
    return ship(positions.batch());
  }

  private long ship(Batch all) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    long acknowledged = 0;
    Batch batch = all;
    while (System.nanoTime() < end) {
      Verdict verdict = sink.send(batch);
      verdicts.add(verdict);
      switch (verdict) {
        case Verdict.Done done -> {
          return acknowledged + done.acknowledged().of(Stream.TRACES);
        }
        case Verdict.RetryThese some -> {
          acknowledged += some.acknowledged().of(Stream.TRACES);
          batch = batch.only(some.again());
        }
        case Verdict.Retry _ -> LockSupport.parkNanos(5_000_000);
        default -> throw new AssertionError(verdict);
      }
    }
    throw new AssertionError("not done: " + verdicts.getLast());
  }

  /** The record ids in the stream, in its order. */
  List<String> streamed() throws InterruptedException {
    List<String> ids = new ArrayList<>();
    List<String> texts = server.texts("XRANGE", prefix + ":positions", "-", "+");
    for (int i = 0; i < texts.size(); i++) {
      if (texts.get(i).equals("recordId")) {
        ids.add(texts.get(i + 1));
      }
    }
    return ids;
  }

  /** Each rider's latest position in a bucket. */
  Map<String, String> latest(int bucket) throws InterruptedException {
    return pairs(server.texts("HGETALL", key(bucket, "positions")));
  }

  /** The time of each rider's latest fix in a bucket. */
  Map<String, Long> at(int bucket) throws InterruptedException {
    Map<String, Long> at = new HashMap<>();
    pairs(server.texts("ZRANGE", key(bucket, "at"), "0", "-1", "WITHSCORES"))
        .forEach((rider, time) -> at.put(rider, Long.parseLong(time)));
    return at;
  }

  String key(int bucket, String name) {
    return prefix + ":{b" + bucket + "}:" + name;
  }

  private static Map<String, String> pairs(List<String> texts) {
    Map<String, String> pairs = new HashMap<>();
    for (int i = 0; i < texts.size(); i += 2) {
      assertThat(pairs.put(texts.get(i), texts.get(i + 1))).isNull();
    }
    return pairs;
  }

  @Override
  public void close() {
    sink.close();
    redis.close();
  }
}
