package gilmok.privacy;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A row of the register: that a location was collected, seen or given. Rows of one id are one row
 * with the sum of their counts. Immutable.
 *
 * @param id begins with its time ({@link #time}), so that ids are in the order of time
 * @param rider the rider's pseudonym; empty for a row about many riders
 * @param key who has seen it: the id of a key; empty where nobody in particular has
 * @param what what was done, as in {@code trace}
 * @param fromMillis when it was first done, epoch ms
 * @param toMillis when it was last done
 * @param count how often
 */
public record RegisterRow(
    String id,
    Kind kind,
    String rider,
    String key,
    String what,
    long fromMillis,
    long toMillis,
    long count,
    String node) {
  private static final int TIME_CHARS = 12;

  /** What happened to a location. */
  public enum Kind {
    COLLECTED("collected"),
    SEEN("seen"),
    GIVEN("given");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The name in the API and in the documents. */
    public String label() {
      return label;
    }

    /** The kind of that name; of no other text. */
    static Kind of(String label) {
      for (Kind one : values()) {
        if (one.label.equals(label)) {
          return one;
        }
      }
      throw new IllegalArgumentException("no kind of the register: " + label);
    }
  }

  /** The beginning of the ids of rows of that time; below all of later ones. */
  static String time(long millis) {
    String hex = Long.toHexString(Math.max(0, millis));
    return "0".repeat(Math.max(0, TIME_CHARS - hex.length())) + hex;
  }

  /** Writes it, with the rider's id where that is still known. */
  void writeJson(@Nullable String riderId, String basis, JsonBuffer out) {
    out.ascii("{\"id\":").string(id).ascii(",\"kind\":\"").ascii(kind.label()).put('"');
    if (!rider.isEmpty()) {
      out.ascii(",\"rider\":").string(rider);
    }
    if (riderId != null) {
      out.ascii(",\"riderId\":").string(riderId);
    }
    if (!key.isEmpty()) {
      out.ascii(",\"key\":").string(key);
    }
    out.ascii(",\"what\":").string(what).ascii(",\"from\":").time(fromMillis);
    out.ascii(",\"to\":").time(toMillis).ascii(",\"count\":").number(count);
    out.ascii(",\"basis\":").string(basis).ascii(",\"node\":").string(node).put('}');
  }
}
