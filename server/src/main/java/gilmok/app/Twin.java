package gilmok.app;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeyResult;
import gilmok.auth.Keys;
import gilmok.auth.Scope;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoScratch;
import gilmok.redis.RedisConfig;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A second server in this process, of the same parts and the same classes, over a folder of its
 * own: what it is asked makes ours fast, and leaves nothing in our log, our documents or our
 * metrics. It listens on a free port of this machine and knows only keys of its own, which nobody
 * is told. It is gone, with its folder, when it is closed.
 *
 * <p>Outside engines are used as ours are, but apart: a database of its own in the same MongoDB,
 * gone with it; keys of its own in the same Redis, which expire within half a minute; and what is
 * shipped goes into its folder. Where it may not, or they do not answer, it does without, and says
 * so in its {@link #notes}.
 */
final class Twin implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gilmok.warmup");
  private static final String FOLDER = "warmup-";
  private static final int KEY_BYTES = 24;

  /** What a twin is made from: those of the server, and the Redis that is the twin's own. */
  private record Settings(ServerConfig whole, RedisConfig redis) {}

  private final Server server;
  private final Path folder;
  private final @Nullable MongoScratch scratch;
  private final Map<String, String> values;
  private List<String> notes = List.of();

  private Twin(
      Server server, Path folder, @Nullable MongoScratch scratch, Map<String, String> values) {
    this.server = server;
    this.folder = folder;
    this.scratch = scratch;
    this.values = Map.copyOf(values);
  }

  /**
   * Starts a twin of a server; its folder lies in that server's.
   *
   * @param config that server's
   * @param hasRedis whether that server's Redis is there, if it has one
   */
  static Twin start(Server of, ServerConfig config, boolean hasRedis, SecureRandom random)
      throws IOException, InterruptedException {
    removeLeft(config.data());
    List<String> notes = new ArrayList<>();
    RedisConfig redis = config.ship().redis();
    if (redis.url() != null && !hasRedis) {
      redis = redis.without();
      notes.add("Redis does not answer: warmed up without it");
    }
    RedisConfig ownRedis = redis.below("warmup:" + of.node());
    Settings settings = new Settings(config, ownRedis);
    Twin twin = inMongo(of, settings, random, notes);
    if (twin == null) {
      twin = start(of, settings, null, random);
    }
    twin.notes = List.copyOf(notes);
    notes.forEach(note -> LOG.log(Level.WARNING, note));
    return twin;
  }

  /** One with a database of its own; null when there is no MongoDB, or it cannot have one. */
  private static @Nullable Twin inMongo(
      Server of, Settings settings, SecureRandom random, List<String> notes)
      throws InterruptedException {
    MongoConfig mongo = settings.whole.mongo();
    if (mongo.uri() == null) {
      return null;
    }
    MongoScratch scratch = null;
    try {
      scratch = MongoScratch.open(mongo, of.node().toString());
      return start(of, settings, scratch, random);
    } catch (IOException cannot) {
      notes.add("warmed up with SQLite in place of MongoDB: " + cannot.getMessage());
      drop(scratch);
      return null;
    } catch (InterruptedException | RuntimeException failed) {
      drop(scratch);
      throw failed;
    }
  }

  private static Twin start(
      Server of, Settings settings, @Nullable MongoScratch scratch, SecureRandom random)
      throws IOException, InterruptedException {
    ServerConfig config = settings.whole;
    Path folder = Files.createTempDirectory(config.data(), FOLDER);
    try {
      MongoConfig mongo = scratch == null ? config.mongo().without() : scratch.config();
      String given = secret(random);
      Server server = of.twin(config.ofTwin(folder, given, mongo, settings.redis));
      try {
        Map<String, String> values = keys(server.keys());
        values.put("given", given);
        return new Twin(server, folder, scratch, values);
      } catch (IOException | RuntimeException failed) {
        server.stop();
        throw failed;
      }
    } catch (IOException | InterruptedException | RuntimeException failed) {
      remove(folder);
      throw failed;
    }
  }

  private static void drop(@Nullable MongoScratch scratch) {
    if (scratch == null) {
      return;
    }
    boolean isHurried = Thread.interrupted(); // the database would be left
    try {
      scratch.close();
    } catch (IOException left) {
      LOG.log(
          Level.WARNING,
          "a database of the warm-up is left until this node warms up again: {0}",
          left.getMessage());
    } finally {
      if (isHurried) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String secret(SecureRandom random) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** A key of each kind, by the name that scripts have for it. */
  static Map<String, String> keys(Keys keys) throws IOException {
    Set<Scope> fleet = Set.of(Scope.COLLECT, Scope.READ, Scope.OPERATE);
    Set<Scope> app = Set.of(Scope.COLLECT, Scope.READ);
    Map<String, String> values = new HashMap<>();
    put(values, keys, "admin", Set.of(Scope.values()), null);
    put(values, keys, "fleet", fleet, null);
    put(values, keys, "reader", Set.of(Scope.READ), null);
    put(values, keys, "collector", Set.of(Scope.COLLECT), null);
    put(values, keys, "rider-key", app, new Binding(Binding.Kind.RIDER, "r-0"));
    put(values, keys, "rider-desk", fleet, new Binding(Binding.Kind.RIDER, "r-0"));
    put(values, keys, "shop-key", fleet, new Binding(Binding.Kind.SHOP, "shop-0"));
    put(values, keys, "agency-key", fleet, new Binding(Binding.Kind.AGENCY, "agency-0"));
    values.put("slow", key(keys, new KeyRequest("slow", app, null, null, 1)));
    for (String name : new String[] {"fleet", "rider-key"}) {
      byte[] pair = (":" + values.get(name)).getBytes(StandardCharsets.UTF_8);
      values.put(name + "-basic", Base64.getEncoder().encodeToString(pair));
    }
    return values;
  }

  private static void put(
      Map<String, String> values,
      Keys keys,
      String name,
      Set<Scope> scopes,
      @Nullable Binding binding)
      throws IOException {
    values.put(name, key(keys, new KeyRequest(name, scopes, binding, null, null)));
  }

  private static String key(Keys keys, KeyRequest request) throws IOException {
    return switch (keys.create(request)) {
      case KeyResult.Created created -> created.key();
      case KeyResult refused -> throw new IllegalStateException(refused.toString());
    };
  }

  Server server() {
    return server;
  }

  /** What it does otherwise than its original, for the operator; empty when nothing. */
  List<String> notes() {
    return notes;
  }

  /** What placeholders of scripts stand for. */
  Map<String, String> values() {
    return values;
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } finally {
      drop(scratch);
      remove(folder);
    }
  }

  /** Those of processes that were killed while they warmed up. */
  private static void removeLeft(Path data) throws IOException {
    try (Stream<Path> all = Files.list(data)) {
      for (Path one : all.filter(path -> isTwins(path)).toList()) {
        remove(one);
      }
    }
  }

  private static boolean isTwins(Path path) {
    return path.getFileName().toString().startsWith(FOLDER) && Files.isDirectory(path);
  }

  private static void remove(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failed)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
