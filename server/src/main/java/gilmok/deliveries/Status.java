package gilmok.deliveries;

/** The status of a delivery. The names are those of the API. */
public enum Status {
  NEW,
  ACCEPTED,
  ASSIGNED,
  PICKED_UP,
  COMPLETED,
  DECLINED,
  CANCELLED,
  FAILED;

  /** Whether it is final. */
  public boolean isEnd() {
    return switch (this) {
      case NEW, ACCEPTED, ASSIGNED, PICKED_UP -> false;
      case COMPLETED, DECLINED, CANCELLED, FAILED -> true;
    };
  }
}
