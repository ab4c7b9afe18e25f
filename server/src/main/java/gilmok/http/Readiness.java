package gilmok.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Whether the server should be sent requests: named conditions, each met or with the reason why
 * not. Ready when all are met. Thread-safe.
 */
public final class Readiness {
  private final List<Condition> conditions = new CopyOnWriteArrayList<>();

  /** Something that must be so before the server is ready. */
  public static final class Condition {
    private final String name;
    private volatile @Nullable String missing;

    private Condition(String name, String missing) {
      this.name = name;
      this.missing = missing;
    }

    /** From now on it is so. */
    public void met() {
      missing = null;
    }

    /**
     * From now on it is not so.
     *
     * @param reason in a few English words
     */
    public void missing(String reason) {
      missing = reason;
    }
  }

  /**
   * Adds a condition that is not met yet.
   *
   * @param reason why not, in a few English words
   */
  public Condition add(String name, String reason) {
    Condition condition = new Condition(name, reason);
    conditions.add(condition);
    return condition;
  }

  /** Whether all conditions are met. */
  public boolean isReady() {
    for (Condition condition : conditions) {
      if (condition.missing != null) {
        return false;
      }
    }
    return true;
  }

  /** The conditions that are not met, as {@code name: reason}. */
  public List<String> missing() {
    List<String> all = new ArrayList<>();
    for (Condition condition : conditions) {
      String reason = condition.missing;
      if (reason != null) {
        all.add(condition.name + ": " + reason);
      }
    }
    return all;
  }

  /** {@code {"ready":false,"missing":[{"name","reason"}]}}. */
  byte[] json() {
    StringBuilder missing = new StringBuilder();
    for (Condition condition : conditions) {
      String reason = condition.missing;
      if (reason != null) {
        missing.append(missing.isEmpty() ? "{" : ",{");
        Problem.member(missing, "name", condition.name);
        missing.append(',');
        Problem.member(missing, "reason", reason);
        missing.append('}');
      }
    }
    String json = "{\"ready\":" + missing.isEmpty() + ",\"missing\":[" + missing + "]}";
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
