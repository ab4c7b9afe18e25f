package gilmok.privacy;

/** Why nothing is collected of a rider. */
public enum NotCollected {
  WITHDRAWN("withdrawn"),
  OFF_DUTY("off-duty");

  private final String label;

  NotCollected(String label) {
    this.label = label;
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }
}
