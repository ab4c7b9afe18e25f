package gilmok.lab.torture;

import java.util.Locale;
import java.util.Set;

/**
 * What can happen to a delivery, an edge between two of its states, as docs/deliveries.md has it;
 * written down anew on purpose.
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

  /** The status it leads to. */
  String to() {
    return to;
  }

  /** Whether it may happen to a delivery that is so; to one that is not there yet: empty. */
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

  /** As an event's type names it. */
  String type() {
    return "delivery." + name().toLowerCase(Locale.ROOT);
  }

  /** The last word of its route. */
  String route() {
    return route;
  }
}
