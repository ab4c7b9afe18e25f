package gilmok.warmup.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program;
import gilmok.app.RunningServer;
import gilmok.app.ServerConfig;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoServer;
import gilmok.log.SegmentOwner;
import gilmok.redis.RedisConfig;
import gilmok.redis.RedisServer;
import gilmok.storage.DataFolder;
import gilmok.storage.NodeId;
import gilmok.warmup.WarmUpScript;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shadow server and the engines outside. It writes nothing to the fleet's MongoDB and Redis;
 * with {@code warm-up.shared-engines} it writes to a database and to keys of its own.
 */
@Tag("engine")
final class ShadowServerIT {
  private static final Document LEFT = new Document("_id", "left");

  @TempDir Path data;
  @TempDir Path elsewhere;

  private ServerConfig config(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(more);
    all.put("data", data.toString());
    all.put("run-sheets.process", "inside");
    return ServerConfig.from(new Settings(all));
  }

  private NodeId node() throws Exception {
    try (DataFolder folder =
        DataFolder.open(data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, new Random(1))) {
      return folder.node();
    }
  }

  @Test
  void enginesOfTheFleet_areNotWrittenTo() throws Exception {
    MongoServer mongo = MongoServer.any();
    String fleets = mongo.newDatabase();
    try (RedisServer redis = RedisServer.start(elsewhere)) {
      String[] settings = {
        "warm-up.on=true",
        "warm-up.limit=3 s",
        "documents.mongo-uri=" + mongo.uri(),
        "documents.mongo-database=" + fleets,
        "documents.mongo-timeout=30 s",
        "redis.url=" + redis.url()
      };
      try (RunningServer server = RunningServer.start(data, settings)) {
        // Only counts are compared: the relay renews its leases each second, warm-up or not.
        Map<String, Long> before = documents(mongo, fleets);
        server.server().warmUp();
        assertThat(documents(mongo, fleets)).isEqualTo(before);
        assertThat(mongo.databases()).noneMatch(name -> name.startsWith(fleets + "_"));
        assertThat(redis.texts("KEYS", "*")).isEmpty();
        assertThat(server.get("/v1/warmup").json().path("surprises").size()).isZero();
      }
    } finally {
      mongo.drop(fleets);
    }
  }

  private static Map<String, Long> documents(MongoServer mongo, String database) {
    Map<String, Long> counts = new HashMap<>();
    for (String name : names(mongo, database)) {
      counts.put(name, mongo.database(database).getCollection(name).countDocuments());
    }
    return counts;
  }

  @Test
  void inTheirPlace_areStandIns_thatSpeakTheSame() throws Exception {
    try (RunningServer of = RunningServer.start(data.resolve("of"));
        HttpClient client = HttpClient.newHttpClient();
        ShadowServer shadowServer =
            ShadowServer.start(
                with(
                    of,
                    config(
                        Map.of(
                            "documents.mongo-uri", "mongodb://127.0.0.1:1/",
                            "redis.url", "redis://127.0.0.1:1/0"))),
                new ShadowServer.Plan(false, false, false),
                new SecureRandom())) {
      assertThat(shadowServer.notes()).isEmpty();
      String url = "http://127.0.0.1:" + shadowServer.server().facts().port();
      HttpRequest made =
          HttpRequest.newBuilder(URI.create(url + "/v1/deliveries"))
              .header("X-Api-Key", shadowServer.values().get("fleet"))
              .POST(
                  BodyPublishers.ofString(
                      "{\"orderId\":\"o\",\"shopId\":\"s\",\"pickup\":{\"lat\":1,\"lon\":1,\"address\":\"a\"},"
                          + "\"dropoff\":{\"lat\":1,\"lon\":1,\"address\":\"b\"}}"))
              .build();
      assertThat(client.send(made, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
      HttpRequest shown =
          HttpRequest.newBuilder(URI.create(url + "/v1/riders/r-1/missions"))
              .header("X-Api-Key", shadowServer.values().get("fleet"))
              .build();
      assertThat(client.send(shown, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
      HttpRequest asked =
          HttpRequest.newBuilder(URI.create(url + "/metrics"))
              .header("X-Api-Key", shadowServer.values().get("admin"))
              .build();
      String metrics = client.send(asked, BodyHandlers.ofString()).body();
      assertThat(metrics)
          .containsPattern(
              "gilmok_documents_mongo_command_seconds_count\\{collection=\"[a-z_]+\",command=\"update\",server=\"[^\"]+\"} [1-9]")
          .doesNotContain("gilmok_documents_wal");
    }
  }

  @Test
  void sharedMongo_itHasADatabaseOfItsOwn_whichIsGoneAfterwards() throws Exception {
    MongoServer mongo = MongoServer.any();
    String fleets = mongo.newDatabase();
    NodeId node = node();
    String own = fleets + "_warmup_" + node;
    String anothers = fleets + "_warmup_aaaaaaaaaaaa";
    try {
      mongo.database(own).getCollection("missions").insertOne(new Document(LEFT));
      mongo.database(anothers).getCollection("missions").insertOne(new Document("_id", "not ours"));
      try (RunningServer server =
          RunningServer.start(
              data,
              "warm-up.on=true",
              "warm-up.shared-engines=true",
              "warm-up.limit=3 s",
              "documents.mongo-uri=" + mongo.uri(),
              "documents.mongo-database=" + fleets,
              "documents.mongo-timeout=30 s",
              "sinks.enabled=files")) {
        CompletableFuture<Void> warming = CompletableFuture.runAsync(() -> warmUp(server));
        Program.await(() -> mongo.database(own).getCollection("keys").countDocuments() > 3);
        assertThat(mongo.database(own).getCollection("missions").countDocuments(LEFT)).isZero();
        warming.get();

        assertThat(names(mongo, own)).isEmpty();
        assertThat(names(mongo, anothers)).containsExactly("missions");
        for (String collection : List.of("deliveries", "missions", "progress", "partners")) {
          assertThat(mongo.database(fleets).getCollection(collection).countDocuments())
              .as(collection)
              .isZero();
        }
        assertThat(mongo.database(fleets).getCollection("keys").countDocuments()).isLessThan(3);
        try (Stream<Path> shipped = Files.walk(data.resolve("shipped"))) {
          assertThat(shipped.filter(Files::isRegularFile)).isEmpty();
        }
      }
    } finally {
      mongo.drop(fleets);
      mongo.drop(own);
      mongo.drop(anothers);
    }
  }

  @Test
  void sharedRedis_itHasKeysOfItsOwn_whichExpire() throws Exception {
    try (RedisServer redis = RedisServer.start(elsewhere);
        HttpClient client = HttpClient.newHttpClient();
        RunningServer of = RunningServer.start(data.resolve("of"));
        ShadowServer shadowServer =
            ShadowServer.start(
                with(
                    of,
                    config(
                        Map.of(
                            "redis.url", redis.url(),
                            "missions.cache.ttl", "1 h",
                            "warm-up.shared-engines", "true"))),
                new ShadowServer.Plan(true, true, false),
                new SecureRandom())) {
      NodeId node = of.server().facts().node();
      assertThat(shadowServer.notes()).isEmpty();
      URI shown =
          URI.create(
              "http://127.0.0.1:"
                  + shadowServer.server().facts().port()
                  + "/v1/riders/r-1/missions");
      HttpRequest asked =
          HttpRequest.newBuilder(shown)
              .header("X-Api-Key", shadowServer.values().get("fleet"))
              .build();
      assertThat(client.send(asked, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
      Program.await(() -> !redis.texts("KEYS", "*r-1}").isEmpty());
      String key = "gilmok:warmup:" + node + ":missions{:r-1}";
      assertThat(redis.texts("KEYS", "*")).allMatch(one -> one.startsWith(key));
      assertThat(Long.parseLong(redis.texts("PTTL", key).getFirst())).isBetween(-2L, 30_000L);
    }
  }

  private static void warmUp(RunningServer server) {
    try {
      server.server().warmUp();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  private static List<String> names(MongoServer mongo, String database) {
    return mongo.database(database).listCollectionNames().into(new ArrayList<>());
  }

  @Test
  void ofWhatIsSharedWhatItCannotHave_itDoesWithout_andSaysSo() throws Exception {
    ServerConfig config =
        config(
            Map.of(
                "warm-up.shared-engines", "true",
                "documents.mongo-uri", "mongodb://127.0.0.1:1/",
                "documents.mongo-timeout", "300 ms",
                "redis.url", "redis://127.0.0.1:1/0",
                "sinks.enabled", "redis"));
    try (RunningServer of = RunningServer.start(elsewhere);
        ShadowServer shadowServer =
            ShadowServer.start(
                with(of, config), new ShadowServer.Plan(true, false, false), new SecureRandom())) {
      assertThat(shadowServer.notes()).hasSize(2);
      assertThat(shadowServer.notes().get(0))
          .startsWith("warmed up with SQLite in place of MongoDB: ");
      assertThat(shadowServer.notes().get(1))
          .isEqualTo("Redis does not answer: warmed up without it");
      try (Stream<Path> all = Files.walk(data)) {
        assertThat(all.map(path -> path.getFileName().toString()))
            .contains("documents.db", "shipped");
      }
    }
    try (Stream<Path> all = Files.list(data)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith("warmup"));
    }
  }

  /** A running server whose shadow is started with other settings. */
  private static WarmableServer with(RunningServer running, ServerConfig config) {
    return new WarmableServer() {
      @Override
      public Facts facts() {
        Facts real = running.server().facts();
        return new Facts(
            real.port(),
            null,
            real.node(),
            config.data(),
            config.of(MongoConfig.class),
            config.sinks().redis(),
            real.keys());
      }

      @Override
      public List<WarmUpScript> scripts() {
        return running.server().scripts();
      }

      @Override
      public WarmableServer shadow(
          Path folder, String adminKey, MongoConfig mongo, RedisConfig redis, boolean overTls)
          throws IOException, InterruptedException {
        return running.server().shadow(config.ofShadow(folder, adminKey, mongo, redis, overTls));
      }

      @Override
      public void prepare() {}

      @Override
      public void prepareAs(WarmableServer shadow) {}

      @Override
      public void open() {}

      @Override
      public void stop() {}
    };
  }
}
