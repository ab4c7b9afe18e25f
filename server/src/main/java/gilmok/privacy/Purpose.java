package gilmok.privacy;

import org.jspecify.annotations.Nullable;

/** What a rider's location is used for; a rider agrees to each by itself. */
public enum Purpose {
  /** The latest position: by rider, by place, as a stream, on the map, for run sheets. */
  DISPATCH("dispatch", 1),
  /** The customer's link. */
  CUSTOMER("customer", 2),
  /** Where the rider was: traces, trips, stays, and what is computed of them. */
  HISTORY("history", 4);

  /** The bits of all purposes. */
  static final int ALL = 7;

  private final String label;

  /** Its bit in the documents, which never changes. */
  private final int bit;

  Purpose(String label, int bit) {
    this.label = label;
    this.bit = bit;
  }

  /** The name in the API. */
  public String label() {
    return label;
  }

  int bit() {
    return bit;
  }

  /** The purpose of that name; null if there is none. */
  static @Nullable Purpose of(@Nullable String label) {
    for (Purpose one : values()) {
      if (one.label.equals(label)) {
        return one;
      }
    }
    return null;
  }
}
