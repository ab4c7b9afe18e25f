package gilmok.privacy;

import org.jspecify.annotations.Nullable;

/** What a rider, or the fleet for one, has said last. */
public enum ConsentState {
  GRANTED("granted"),
  WITHDRAWN("withdrawn"),
  /** The rider agrees in general, and does not work now. */
  OFF_DUTY("off-duty");

  private final String label;

  ConsentState(String label) {
    this.label = label;
  }

  /** The name in the API and in the documents. */
  public String label() {
    return label;
  }

  /** The state of that name; null if there is none. */
  static @Nullable ConsentState of(@Nullable String label) {
    for (ConsentState one : values()) {
      if (one.label.equals(label)) {
        return one;
      }
    }
    return null;
  }
}
