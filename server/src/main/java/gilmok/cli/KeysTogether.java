package gilmok.cli;

import gilmok.auth.KeyRequest;
import gilmok.auth.KeySecret;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a file as far as they were read: whether one more would conflict with them, as the
 * server would say in the middle of the import. Not thread-safe.
 */
final class KeysTogether {
  private static final int OF_ONE_NAME_MAX = 2;
  private static final int BEGINNING_ALIKE_MAX = 4;
  private static final int BEGIN_LENGTH = 3;

  /** A key that was read. */
  private record Read(long line, KeyRequest request) {}

  /** By what is kept of their secrets. */
  private final Map<Map<String, String>, Read> bySecret = new HashMap<>();

  private final Map<String, Integer> ofName = new HashMap<>();

  /** The prefixes of bcrypt keys, by their first letters, which those that are alike share. */
  private final Map<String, List<String>> prefixes = new HashMap<>();

  /** Why a key cannot be brought with those before it; null when it can, and it is kept then. */
  @Nullable String conflict(long line, KeyRequest request) {
    KeySecret secret = Objects.requireNonNull(request.secret());
    Map<String, String> kept = secret.fields();
    Read before = bySecret.get(kept);
    if (before != null) {
      return isSame(before.request, request)
          ? null
          : "key: is that of line "
              + before.line
              + " with another name, other scopes, another rate or another binding";
    }
    String prefix = kept.get("prefix");
    if (prefix != null && alike(prefix) >= BEGINNING_ALIKE_MAX) {
      return "prefix: four keys before it begin alike; give more of the beginning";
    }
    if (ofName.getOrDefault(request.name(), 0) >= OF_ONE_NAME_MAX) {
      return "name: two keys before it have this name, and no more can";
    }
    bySecret.put(kept, new Read(line, request));
    ofName.merge(request.name(), 1, Integer::sum);
    if (prefix != null) {
      prefixes.computeIfAbsent(first(prefix), _ -> new ArrayList<>()).add(prefix);
    }
    return null;
  }

  private long alike(String prefix) {
    return prefixes.getOrDefault(first(prefix), List.of()).stream()
        .filter(other -> other.startsWith(prefix) || prefix.startsWith(other))
        .count();
  }

  private static String first(String prefix) {
    return prefix.substring(0, BEGIN_LENGTH);
  }

  private static boolean isSame(KeyRequest one, KeyRequest other) {
    return one.name().equals(other.name())
        && one.scopes().equals(other.scopes())
        && Objects.equals(one.binding(), other.binding())
        && Objects.equals(one.rate(), other.rate());
  }
}
