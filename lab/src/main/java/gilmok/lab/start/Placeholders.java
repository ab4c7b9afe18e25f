package gilmok.lab.start;

import gilmok.auth.AuthConfig;
import gilmok.auth.Binding;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeyResult;
import gilmok.auth.Keys;
import gilmok.auth.Scope;
import gilmok.auth.StoppedServerKeys;
import gilmok.config.Settings;
import gilmok.log.SegmentOwner;
import gilmok.storage.DataFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values of the placeholders in {@code first.http}: keys that are written to a data folder
 * before its server starts. Making them over HTTP would send requests before the first measured
 * one. Stateless.
 */
final class Placeholders {
  private static final Set<Scope> ALL = Set.of(Scope.COLLECT, Scope.READ, Scope.OPERATE);
  private static final Set<Scope> RIDERS = Set.of(Scope.COLLECT, Scope.READ);
  private static final Set<Scope> SHOPS = Set.of(Scope.READ, Scope.OPERATE);

  private Placeholders() {}

  /** Makes the keys in a folder that no server uses. */
  static Map<String, String> in(Path data) throws IOException {
    SecureRandom random = new SecureRandom();
    try (DataFolder folder =
            DataFolder.open(data, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, random);
        StoppedServerKeys kept = new StoppedServerKeys(folder.path())) {
      AuthConfig config = AuthConfig.of(new Settings(Map.of()));
      Keys keys =
          Keys.openAsTheyAre(kept.store(), folder.path(), config, InstantSource.system(), random);
      Map<String, String> values = new HashMap<>();
      String fleet = key(keys, "fleet", ALL, null);
      values.put("fleet", fleet);
      values.put(
          "fleet-basic",
          Base64.getEncoder().encodeToString((":" + fleet).getBytes(StandardCharsets.UTF_8)));
      values.put("reader", key(keys, "reader", Set.of(Scope.READ), null));
      values.put("rider-key", key(keys, "rider", RIDERS, new Binding(Binding.Kind.RIDER, "r-7")));
      values.put("shop-key", key(keys, "shop", SHOPS, new Binding(Binding.Kind.SHOP, "shop-3")));
      return values;
    }
  }

  private static String key(Keys keys, String name, Set<Scope> scopes, @Nullable Binding binding)
      throws IOException {
    return switch (keys.create(new KeyRequest(name, scopes, binding, null, null))) {
      case KeyResult.Created created -> created.key();
      case KeyResult refused -> throw new IllegalStateException(refused.toString());
    };
  }
}
