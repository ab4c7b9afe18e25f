package gilmok.deliveries;

/** Where a delivery is on its way. The names are those of the API. */
public enum Status {
  NEW,
  ACCEPTED,
  ASSIGNED,
  PICKED_UP,
  COMPLETED,
  DECLINED,
  CANCELLED,
  FAILED;

  /** Whether nothing follows. */
  public boolean isEnd() {
    return switch (this) {
      case NEW, ACCEPTED, ASSIGNED, PICKED_UP -> false;
      case COMPLETED, DECLINED, CANCELLED, FAILED -> true;
    };
  }
}
