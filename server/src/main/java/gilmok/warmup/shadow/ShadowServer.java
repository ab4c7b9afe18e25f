package gilmok.warmup.shadow;

import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeyResult;
import gilmok.auth.Keys;
import gilmok.auth.Scope;
import gilmok.storage.FolderTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A second server in this process, to be warmed up in place of the first. It has the same parts and
 * the same classes, so its requests make the first server fast; but its folder is its own, so they
 * leave nothing in the first server's log, documents or metrics. It listens on a free port of this
 * machine and accepts only keys of its own, which are not published. Closing it stops it and
 * deletes its folder.
 *
 * <p>Its MongoDB and Redis are {@link ShadowEngines}; its sinks write to its folder.
 */
record ShadowServer(
    WarmableServer server, Path folder, ShadowEngines engines, Map<String, String> values)
    implements AutoCloseable {
  private static final String FOLDER = "warmup-";
  private static final int KEY_BYTES = 24;

  /**
   * How a shadow is made.
   *
   * @param sharesEngines whether to use the fleet's own engines, with separate data
   * @param hasRedis whether the server's Redis answers, if it has one
   * @param overTls whether it is asked over the server's TLS
   */
  record Plan(boolean sharesEngines, boolean hasRedis, boolean overTls) {
    /** The same, over TLS. */
    Plan secured() {
      return new Plan(sharesEngines, hasRedis, true);
    }
  }

  /**
   * Starts the shadow of a server, in a folder within the server's data folder.
   *
   * @throws IOException when the shadow cannot be started
   */
  static ShadowServer start(WarmableServer of, Plan plan, SecureRandom random)
      throws IOException, InterruptedException {
    removeLeft(of.facts().data());
    ShadowEngines engines = ShadowEngines.open(of.facts(), plan.sharesEngines(), plan.hasRedis());
    try {
      try {
        return start(of, engines, plan.overTls(), random);
      } catch (IOException failed) {
        if (!engines.doWithoutMongo(failed)) {
          throw failed;
        }
        return start(of, engines, plan.overTls(), random);
      }
    } catch (IOException | InterruptedException | RuntimeException failed) {
      engines.close();
      throw failed;
    }
  }

  private static ShadowServer start(
      WarmableServer of, ShadowEngines engines, boolean overTls, SecureRandom random)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(of.facts().data(), FOLDER);
    try {
      String given = secret(random);
      WarmableServer server = of.shadow(folder, given, engines.mongo(), engines.redis(), overTls);
      try {
        Map<String, String> values = keys(server.facts().keys());
        values.put("given", given);
        values.put("port", Integer.toString(server.facts().port()));
        return new ShadowServer(server, folder, engines, values);
      } catch (IOException | RuntimeException failed) {
        server.stop();
        throw failed;
      }
    } catch (IOException | InterruptedException | RuntimeException failed) {
      FolderTree.delete(folder);
      throw failed;
    }
  }

  private static String secret(SecureRandom random) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Makes a key of each kind; returns them by the placeholders that scripts use. */
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

  /** Differences from the original, for the operator; empty if there are none. */
  List<String> notes() {
    return engines.notes();
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } finally {
      engines.close();
      FolderTree.delete(folder);
    }
  }

  /** Deletes the folders of processes that were killed during their warm-up. */
  private static void removeLeft(Path data) throws IOException {
    try (Stream<Path> all = Files.list(data)) {
      for (Path one : all.filter(path -> isTwins(path)).toList()) {
        FolderTree.delete(one);
      }
    }
  }

  private static boolean isTwins(Path path) {
    return path.getFileName().toString().startsWith(FOLDER) && Files.isDirectory(path);
  }
}
