package gilmok.lab.torture;

import java.util.Locale;
import java.util.Set;

/**
 * A transition of a delivery between two states, as in docs/deliveries.md; written a second time so
 * that the two are compared.
 */
enum Edge {
  CREATED("NEW", ""),
  ACCEPTED("ACCEPTED", "accept"),
  ASSIGNED("ASSIGNED", "assign"),
  UNASSIGNED("ACCEPTED", "unassign"),
  PICKED_UP("PICKED_UP", "pickup"),
  COMPLETED("COMPLETED", "complete"),
  DECLINED("DECLINED", "decline"),
  CANCELLED("CANCELLED", "cancel"),
  FAILED("FAILED", "fail");

  private final String to;
  private final String route;

  Edge(String to, String route) {
    this.to = to;
    this.route = route;
  }

  /** The status after it. */
  String to() {
    return to;
  }

  /**
   * Whether it is allowed in a status; the empty status stands for a delivery that does not exist
   * yet.
   */
  boolean isAllowedFrom(String status) {
    return switch (this) {
      case CREATED -> status.isEmpty();
      case ACCEPTED -> status.equals("NEW");
      case ASSIGNED -> Set.of("ACCEPTED", "ASSIGNED").contains(status);
      case UNASSIGNED, PICKED_UP -> status.equals("ASSIGNED");
      case COMPLETED -> status.equals("PICKED_UP");
      case DECLINED -> Set.of("NEW", "ACCEPTED").contains(status);
      case CANCELLED -> Set.of("NEW", "ACCEPTED", "ASSIGNED").contains(status);
      case FAILED -> Set.of("ACCEPTED", "ASSIGNED", "PICKED_UP").contains(status);
    };
  }

  /** Its name in the type of an event. */
  String type() {
    return "delivery." + name().toLowerCase(Locale.ROOT);
  }

  /** The last segment of its route. */
  String route() {
    return route;
  }
}
