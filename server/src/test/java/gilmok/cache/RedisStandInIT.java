package gilmok.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.redis.Redis;
import gilmok.redis.RedisConfig;
import gilmok.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in answers each call of a cache as a real Redis does. */
@Tag("engine")
@Timeout(120)
final class RedisStandInIT {
  private static final int QUESTIONS = 2_000;
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

  @TempDir Path folder;

  /** One of the two servers, with the tokens and versions that it issued. */
  private static final class Side {
    private final RedisTier shared;
    private final Map<String, Long> tokens = new HashMap<>();
    private final Map<String, SharedTier.Held> held = new HashMap<>();
    private int versions;

    Side(RedisTier shared) {
      this.shared = shared;
    }

    String ask(String key, boolean isKnown) throws InterruptedException {
      return noted(key, shared.ask(key, isKnown ? held.get(key) : null));
    }

    String reset(String key) throws InterruptedException {
      return noted(key, shared.reset(key));
    }

    String put(String key, String value) throws InterruptedException {
      shared.put(key, tokens.getOrDefault(key, 7L), 1_000, value.getBytes(StandardCharsets.UTF_8));
      return "";
    }

    String release(String key) throws InterruptedException {
      shared.release(key, tokens.getOrDefault(key, 7L));
      return "";
    }

    String forget(String key) throws InterruptedException {
      return "" + shared.forget(key);
    }

    private String noted(String key, SharedTier.Told told) {
      return switch (told) {
        case SharedTier.Leased leased -> {
          tokens.put(key, leased.token());
          yield "leased";
        }
        case SharedTier.Found found -> {
          // Far below or above any real time left, because the two sides differ by milliseconds.
          long left = versions++ % 2 == 0 ? 0 : Duration.ofHours(9).toNanos();
          held.put(key, new SharedTier.Held(found.version(), left));
          yield "found " + new String(found.bytes(), StandardCharsets.UTF_8);
        }
        default -> told.getClass().getSimpleName();
      };
    }
  }

  @Test
  void questions_areAnsweredAsARedisAnswersThem() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisStandIn standIn = RedisStandIn.start();
        Redis real = new Redis(server.config(Map.of()));
        Redis ours = new Redis(server.config(Map.of()).at(standIn.url()));
        RedisTier one = new RedisTier(real, "texts", CONFIG);
        RedisTier other = new RedisTier(ours, "texts", CONFIG)) {
      assertThat(other.ping()).isNull();
      List<String> expected = answers(new Side(one));
      assertThat(expected)
          .contains("leased", "Taken", "true")
          .anyMatch(a -> a.startsWith("found "));
      assertThat(answers(new Side(other))).isEqualTo(expected);
    }
  }

  private static List<String> answers(Side side) throws InterruptedException {
    Random random = new Random(20261123);
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < QUESTIONS; i++) {
      String key = "k" + random.nextInt(4);
      answers.add(
          switch (random.nextInt(8)) {
            case 0, 1 -> side.ask(key, false);
            case 2 -> side.ask(key, true);
            case 3 -> side.put(key, "value " + i);
            case 4 -> side.release(key);
            case 5 -> side.reset(key);
            case 6 -> "" + side.shared.tell(key);
            default -> side.forget(key);
          });
    }
    return answers;
  }

  @Test
  void changes_areReadAsFromARedis() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisStandIn standIn = RedisStandIn.start()) {
      assertThat(changes(server.config(Map.of()))).isEqualTo(changes(standIn(server, standIn)));
    }
  }

  private static RedisConfig standIn(RedisServer server, RedisStandIn standIn) {
    return server.config(Map.of()).at(standIn.url());
  }

  private static List<RedisChanges.Changes> changes(RedisConfig config) throws Exception {
    List<RedisChanges.Changes> all = new ArrayList<>();
    try (Redis redis = new Redis(config);
        RedisTier one = new RedisTier(redis, "texts", CONFIG);
        RedisTier other = new RedisTier(redis, "texts", CONFIG)) {
      all.add(other.changes().read());
      assertThat(one.tell("a") && one.tell("길목") && other.tell("own")).isTrue();
      all.add(other.changes().read());
      assertThat(one.tellAll()).isTrue();
      all.add(other.changes().read());
      Thread later = Thread.ofVirtual().unstarted(() -> quietly(one));
      later.start();
      all.add(other.changes().read());
      later.join();
    }
    assertThat(all)
        .containsExactly(
            new RedisChanges.Changes(List.of(), true),
            new RedisChanges.Changes(List.of("a", "길목"), false),
            new RedisChanges.Changes(List.of(), true),
            new RedisChanges.Changes(List.of("later"), false));
    return all;
  }

  private static void quietly(RedisTier tier) {
    try {
      boolean _ = tier.tell("later");
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Test
  void asACluster_itIsOneOfASingleNode() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisStandIn standIn = RedisStandIn.start()) {
      RedisConfig config = server.config(Map.of("redis.cluster", "true")).at(standIn.url());
      try (Redis cluster = new Redis(config);
          RedisTier shared = new RedisTier(cluster, "texts", CONFIG)) {
        assertThat(shared.ping()).isNull();
        assertThat(shared.ask("k", null)).isInstanceOf(SharedTier.Leased.class);
        assertThat(shared.ask("k", null)).isInstanceOf(SharedTier.Taken.class);
      }
    }
  }
}
