package gilmok.deliveries;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A transition of a delivery: the statuses it starts from and the one it leads to. */
public enum Step {
  CREATE("create", "created", Status.NEW),
  ACCEPT("accept", "accepted", Status.ACCEPTED, Status.NEW),
  ASSIGN("assign", "assigned", Status.ASSIGNED, Status.ACCEPTED, Status.ASSIGNED),
  UNASSIGN("unassign", "unassigned", Status.ACCEPTED, Status.ASSIGNED),
  PICK_UP("pickup", "picked_up", Status.PICKED_UP, Status.ASSIGNED),
  COMPLETE("complete", "completed", Status.COMPLETED, Status.PICKED_UP),
  DECLINE("decline", "declined", Status.DECLINED, Status.NEW, Status.ACCEPTED),
  CANCEL("cancel", "cancelled", Status.CANCELLED, Status.NEW, Status.ACCEPTED, Status.ASSIGNED),
  FAIL("fail", "failed", Status.FAILED, Status.ACCEPTED, Status.ASSIGNED, Status.PICKED_UP);

  private final String label;
  private final String past;
  private final Status target;

  @SuppressWarnings("ImmutableEnumChecker") // unmodifiable, and never shared
  private final Set<Status> sources;

  Step(String label, String past, Status target, Status... sources) {
    this.label = label;
    this.past = past;
    this.target = target;
    EnumSet<Status> all = EnumSet.noneOf(Status.class);
    Collections.addAll(all, sources);
    this.sources = Collections.unmodifiableSet(all);
  }

  /** The name of its route and of the rider's action, as {@code pickup}. */
  public String label() {
    return label;
  }

  /** The type of its event for partners, as {@code delivery.picked_up}. */
  public String eventType() {
    return "delivery." + past;
  }

  /** The delivery's status after it. */
  public Status target() {
    return target;
  }

  /** The statuses it can start from; empty for {@link #CREATE}. */
  public Set<Status> sources() {
    return sources;
  }

  /** Whether a rider may ever take this step. */
  public boolean isRiders() {
    return this == PICK_UP || this == COMPLETE || this == FAIL;
  }

  /** The step of that type of event; null for an unknown one. */
  static @Nullable Step ofEventType(String type) {
    for (Step step : values()) {
      if (step.eventType().equals(type)) {
        return step;
      }
    }
    return null;
  }

  /** The step of that label; null for an unknown one. Never {@link #CREATE}. */
  public static @Nullable Step ofLabel(String label) {
    return switch (label) {
      case "accept" -> ACCEPT;
      case "assign" -> ASSIGN;
      case "unassign" -> UNASSIGN;
      case "pickup" -> PICK_UP;
      case "complete" -> COMPLETE;
      case "decline" -> DECLINE;
      case "cancel" -> CANCEL;
      case "fail" -> FAIL;
      default -> null;
    };
  }
}
