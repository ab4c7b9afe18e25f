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
 * The parts that the server lacks at present, each with its reason. The server is ready for traffic
 * unless it lacks a part that it needs; other missing parts are only named. Thread-safe.
 */
public final class Readiness {
  private final ConcurrentSkipListMap<String, Lack> missing = new ConcurrentSkipListMap<>();
  private final Map<String, Supplier<@Nullable Lack>> conditions = new ConcurrentHashMap<>();
  private final @Nullable Meters meters;
  private volatile @Nullable String warmUp;

  /** The parts that have a gauge: one that was missing once keeps it. */
  private final Set<List<String>> shown = ConcurrentHashMap.newKeySet();

  /**
   * Why a part is missing.
   *
   * @param reason in a few words for the operator
   * @param isOptional whether the server is ready without it
   */
  public record Lack(String reason, boolean isOptional) {}

  /** Not ready until {@link #ready} was called for each of these parts. */
  public Readiness(String... parts) {
    this(null, parts);
  }

  /** The same, and shown in the metrics. */
  public Readiness(@Nullable Meters meters, String... parts) {
    this.meters = meters;
    if (meters != null) {
      meters.gauge("gilmok_ready", "1 when the server may be sent traffic.", () -> ready() ? 1 : 0);
    }
    for (String part : parts) {
      notReady(part, "starting");
    }
  }

  /** The part works; it is no longer missing. */
  public void ready(String part) {
    missing.remove(part);
  }

  /**
   * The part does not work, and the server needs it: it is not ready.
   *
   * @param reason why, in a few words for the operator
   */
  public void notReady(String part, String reason) {
    put(part, new Lack(reason, false));
  }

  /**
   * The part does not work, but the server is ready without it, and does what it can.
   *
   * @param reason why, in a few words for the operator
   */
  public void lacks(String part, String reason) {
    put(part, new Lack(reason, true));
  }

  /**
   * Adds a part whose state is read whenever readiness is. Read from any thread; must be quick.
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

  /** Sets the verdict with which the server's warm-up has ended; no verdict affects readiness. */
  public void warmedUp(String verdict) {
    warmUp = verdict;
  }

  /** The verdict of the warm-up; null before its end. */
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
          "1 for a missing part, 0 for one that is not missing.",
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

  /** Whether no needed part is missing. */
  public boolean ready() {
    return missing().values().stream().allMatch(Lack::isOptional);
  }

  /** The parts that are missing now, by name. */
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
