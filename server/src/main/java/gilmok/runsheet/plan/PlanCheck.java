package gilmok.runsheet.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A given order of stops, looked at: when the rider would be where, and what is not possible in it.
 *
 * @param stops the stops that name an order there is, with their times, as if all were possible
 * @param cost the ways together, with those from the start and to the end
 * @param lateness how late all drop-offs are together
 * @param violations what is not possible, in the order of the stops; none: it is a plan
 */
public record PlanCheck(List<Stop> stops, long cost, long lateness, List<Violation> violations) {
  /** The {@link Violation#place} of what is nowhere. */
  public static final int NOWHERE = -1;

  /** Copies the lists. */
  public PlanCheck {
    stops = List.copyOf(stops);
    violations = List.copyOf(violations);
  }

  /**
   * A stop of a given plan.
   *
   * @param order by its place among the problem's
   * @param kind what is to be done there
   */
  public record Visit(int order, Stop.Kind kind) {}

  /** What can be wrong with a stop. */
  public enum Rule {
    /** There is no such order. */
    UNKNOWN_ORDER,
    /** It is picked up, but was on board already. */
    ALREADY_ON_BOARD,
    /** It is handed over, but is not on board. */
    NOT_ON_BOARD,
    /** It is picked up or handed over, but was handed over before. */
    ALREADY_DELIVERED,
    /** More are on board than can be. */
    OVER_CAPACITY,
    /** It is never handed over. */
    NOT_DELIVERED
  }

  /**
   * What is not possible.
   *
   * @param place which visit, from 0, or {@link #NOWHERE}
   * @param order which order
   * @param rule what of
   */
  public record Violation(int place, int order, Rule rule) {}

  /** Looks at the visits in their order. */
  public static PlanCheck of(PlanProblem problem, List<Visit> visits) {
    List<Violation> violations = violations(problem, visits);
    List<Stop> stops = new ArrayList<>();
    long time = 0;
    long cost = 0;
    long lateness = 0;
    int at = problem.start();
    for (Visit visit : visits) {
      if (visit.order() < 0 || visit.order() >= problem.orders().size()) {
        continue;
      }
      PlanOrder planOrder = problem.orders().get(visit.order());
      boolean isPickup = visit.kind() == Stop.Kind.PICKUP;
      int node = isPickup ? planOrder.pickup() : planOrder.dropoff();
      if (node < 0 || node >= problem.nodes()) {
        continue;
      }
      cost += problem.cost(at, node);
      time += problem.cost(at, node);
      long lateBy = isPickup ? 0 : lateBy(planOrder, time);
      stops.add(new Stop(node, visit.order(), visit.kind(), time, lateBy));
      lateness += lateBy;
      time = (isPickup ? Math.max(time, planOrder.readyAt()) : time) + problem.serviceTime();
      at = node;
    }
    Integer end = problem.end();
    return new PlanCheck(
        stops, end == null ? cost : cost + problem.cost(at, end), lateness, violations);
  }

  private static long lateBy(PlanOrder planOrder, long time) {
    return planOrder.dueBy() == PlanOrder.NEVER_DUE ? 0 : Math.max(0, time - planOrder.dueBy());
  }

  private static List<Violation> violations(PlanProblem problem, List<Visit> visits) {
    List<Violation> violations = new ArrayList<>();
    List<PlanOrder> orders = problem.orders();
    boolean[] onBoard = new boolean[orders.size()];
    boolean[] delivered = new boolean[orders.size()];
    int load = 0;
    for (int i = 0; i < orders.size(); i++) {
      onBoard[i] = orders.get(i).pickedUp();
      load += onBoard[i] ? 1 : 0;
    }
    for (int place = 0; place < visits.size(); place++) {
      int order = visits.get(place).order();
      if (order < 0 || order >= orders.size()) {
        violations.add(new Violation(place, order, Rule.UNKNOWN_ORDER));
      } else if (delivered[order]) {
        violations.add(new Violation(place, order, Rule.ALREADY_DELIVERED));
      } else if (visits.get(place).kind() == Stop.Kind.PICKUP) {
        if (onBoard[order]) {
          violations.add(new Violation(place, order, Rule.ALREADY_ON_BOARD));
          continue;
        }
        onBoard[order] = true;
        if (++load > problem.capacity()) {
          violations.add(new Violation(place, order, Rule.OVER_CAPACITY));
        }
      } else if (!onBoard[order]) {
        violations.add(new Violation(place, order, Rule.NOT_ON_BOARD));
      } else {
        delivered[order] = true;
        load--;
      }
    }
    for (int i = 0; i < delivered.length; i++) {
      if (!delivered[i]) {
        violations.add(new Violation(NOWHERE, i, Rule.NOT_DELIVERED));
      }
    }
    return violations;
  }
}
