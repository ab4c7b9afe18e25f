package gilmok.runsheet.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of checking a given order of stops: the times of the stops, and the rules that it
 * breaks. Immutable.
 *
 * @param stops the stops whose order exists, with their times, computed as if no rule were broken
 * @param cost the sum of all ways, including those from the start and to the end
 * @param lateness of all drop-offs together
 * @param violations the broken rules, in the order of the stops; empty if it is a valid plan
 */
public record PlanCheck(List<Stop> stops, long cost, long lateness, List<Violation> violations) {
  /** The {@link Violation#place} of a violation that belongs to no stop. */
  public static final int NOWHERE = -1;

  /** Copies the lists. */
  public PlanCheck {
    stops = List.copyOf(stops);
    violations = List.copyOf(violations);
  }

  /**
   * A stop of a given plan.
   *
   * @param order the index of the order in the problem
   * @param kind pickup or drop-off
   */
  public record Visit(int order, Stop.Kind kind) {}

  /** A rule that a stop can break. */
  public enum Rule {
    /** There is no such order. */
    UNKNOWN_ORDER,
    /** The order is picked up, but was already on board. */
    ALREADY_ON_BOARD,
    /** The order is dropped off, but is not on board. */
    NOT_ON_BOARD,
    /** The order is picked up or dropped off, but was already delivered. */
    ALREADY_DELIVERED,
    /** More orders are on board than the capacity allows. */
    OVER_CAPACITY,
    /** The order is never delivered. */
    NOT_DELIVERED
  }

  /**
   * A broken rule.
   *
   * @param place the index of the visit, from 0, or {@link #NOWHERE}
   * @param order the index of the order
   * @param rule the rule
   */
  public record Violation(int place, int order, Rule rule) {}

  /** Checks the visits in their order. */
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
