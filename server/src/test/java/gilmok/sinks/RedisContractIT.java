package gilmok.sinks;

import gilmok.config.Settings;
import gilmok.observe.Meters;
import gilmok.redis.Redis;
import gilmok.redis.RedisServer;
import gilmok.sinks.redis.RedisSink;
import gilmok.sinks.redis.RedisSinkConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract over Redis. */
@Tag("engine")
final class RedisContractIT extends SinkContract {
  @AutoClose private static RedisServer server;
  private Redis redis;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = RedisServer.any(folder);
  }

  @BeforeEach
  void connect() {
    redis = new Redis(server.config(Map.of("redis.prefix", "contract-" + System.nanoTime())));
  }

  @AfterEach
  void closeRedis() {
    redis.close();
  }

  @Override
  Sink sink(SinksRig rig, Meters meters) {
    RedisSinkConfig config = RedisSinkConfig.from(new Settings(Map.of()), "redis");
    return new RedisSink(config, redis, rig.clock);
  }

  @Override
  List<Arrived> arrived() throws Exception {
    List<String> entries = server.texts("XRANGE", redis.prefix() + ":positions", "-", "+");
    List<Arrived> arrived = new ArrayList<>();
    for (int i = 0; i < entries.size(); i += 13) { // an id, and six fields with their values
      arrived.add(new Arrived(entries.get(i + 2), entries.get(i + 4), entries.get(i + 6)));
    }
    return arrived;
  }
}
