package gilmok.observe;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server lacks: parts, each with its reason. It is ready to be sent traffic when no part
 * is missing that it cannot do without; the others are only named. Thread-safe.
 */
public final class Readiness {
  private final ConcurrentSkipListMap<String, Lack> missing = new ConcurrentSkipListMap<>();
  private final Map<String, Supplier<@Nullable Lack>> conditions = new ConcurrentHashMap<>();
  private final @Nullable Meters meters;
  private volatile @Nullable String warmUp;

  /** Parts that are known to the meters: whatever was missing once stays there. */
  private final Set<List<String>> shown = ConcurrentHashMap.newKeySet();

  /**
   * Why a part is missing.
   *
   * @param reason in a few words for the operator
   * @param isOptional whether the server is ready without it
   */
  public record Lack(String reason, boolean isOptional) {}

  /** Not ready until each of these parts says so. */
  public Readiness(String... parts) {
    this(null, parts);
  }

  /** The same, as metrics too. */
  public Readiness(@Nullable Meters meters, String... parts) {
    this.meters = meters;
    if (meters != null) {
      meters.gauge("gilmok_ready", "1 when the server may be sent traffic.", () -> ready() ? 1 : 0);
    }
    for (String part : parts) {
      notReady(part, "starting");
    }
  }

  /** This part lacks nothing, any more. */
  public void ready(String part) {
    missing.remove(part);
  }

  /**
   * This part cannot do its work, and the server none without it.
   *
   * @param reason why, in a few words for the operator
   */
  public void notReady(String part, String reason) {
    put(part, new Lack(reason, false));
  }

  /**
   * This part cannot do its work. The server does what it can without it: it is ready all the same.
   *
   * @param reason why, in a few words for the operator
   */
  public void lacks(String part, String reason) {
    put(part, new Lack(reason, true));
  }

  /**
   * A part that is asked whenever somebody wants to know. From any thread; must be quick.
   *
   * @param lack what it lacks; null for nothing
   */
  public void condition(String part, Supplier<@Nullable Lack> lack) {
    conditions.put(part, lack);
    if (meters != null) {
      show(part, false);
      show(part, true);
    }
  }

  /** With which verdict the server's warm-up has ended; it is ready with any. */
  public void warmedUp(String verdict) {
    warmUp = verdict;
  }

  /** How its warm-up has ended; null before that. */
  public @Nullable String warmUp() {
    return warmUp;
  }

  private void put(String part, Lack lack) {
    missing.put(part, lack);
    show(part, lack.isOptional);
  }

  private void show(String part, boolean isOptional) {
    String optional = Boolean.toString(isOptional);
    if (meters != null && shown.add(List.of(part, optional))) {
      meters.gauge(
          "gilmok_missing",
          "1 for a part that cannot do its work.",
          () -> isMissing(part, isOptional) ? 1 : 0,
          "part",
          part,
          "optional",
          optional);
    }
  }

  private boolean isMissing(String part, boolean isOptional) {
    Lack lack = missing.get(part);
    Supplier<@Nullable Lack> condition = conditions.get(part);
    lack = lack == null && condition != null ? condition.get() : lack;
    return lack != null && lack.isOptional == isOptional;
  }

  /** Whether nothing is missing that is needed. */
  public boolean ready() {
    return missing().values().stream().allMatch(Lack::isOptional);
  }

  /** What is missing, as it is now, by name. */
  public Map<String, Lack> missing() {
    TreeMap<String, Lack> all = new TreeMap<>();
    conditions.forEach(
        (part, condition) -> {
          Lack lack = condition.get();
          if (lack != null) {
            all.put(part, lack);
          }
        });
    all.putAll(missing);
    return Collections.unmodifiableMap(all);
  }
}
