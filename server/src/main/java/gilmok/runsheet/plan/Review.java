package gilmok.runsheet.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of validating a draft: a problem, or the first error, in the documented order of
 * checks. Immutable.
 */
public sealed interface Review {
  /** A valid problem. */
  record Sound(PlanProblem problem) implements Review {}

  /**
   * The first error of a draft.
   *
   * @param field the field, as in the API: {@code matrix[3][1]}, {@code orders[2].pickup}
   * @param reason what is wrong with it, for the caller
   */
  record Fault(String field, String reason) implements Review {}

  /** Validates a draft. */
  static Review of(ProblemDraft draft) {
    Fault fault = matrix(draft.matrix());
    if (fault == null) {
      fault = whole(draft);
    }
    if (fault == null) {
      fault = orders(draft.orders(), draft.matrix().length);
    }
    return fault == null ? new Sound(new PlanProblem(draft)) : fault;
  }

  private static @Nullable Fault matrix(long[][] matrix) {
    int nodes = matrix.length;
    if (nodes == 0 || nodes > ProblemDraft.NODES_MAX) {
      return new Fault("matrix", "has " + nodes + " rows, not 1 to " + ProblemDraft.NODES_MAX);
    }
    for (int from = 0; from < nodes; from++) {
      if (matrix[from].length != nodes) {
        return new Fault(
            "matrix[" + from + "]",
            "has " + matrix[from].length + " entries, but there are " + nodes + " rows");
      }
      for (int to = 0; to < nodes; to++) {
        if (matrix[from][to] < 0 || matrix[from][to] > ProblemDraft.COST_MAX) {
          return new Fault(
              "matrix[" + from + "][" + to + "]",
              "is " + matrix[from][to] + ", not 0 to " + ProblemDraft.COST_MAX);
        }
      }
    }
    return null;
  }

  private static @Nullable Fault whole(ProblemDraft draft) {
    int nodes = draft.matrix().length;
    if (draft.start() < 0 || draft.start() >= nodes) {
      return noNode("start", draft.start(), nodes);
    }
    if (draft.end() != null && (draft.end() < 0 || draft.end() >= nodes)) {
      return noNode("end", draft.end(), nodes);
    }
    if (draft.serviceTime() < 0 || draft.serviceTime() > ProblemDraft.COST_MAX) {
      return new Fault(
          "serviceTime", "is " + draft.serviceTime() + ", not 0 to " + ProblemDraft.COST_MAX);
    }
    if (draft.capacity() < 1) {
      return new Fault("capacity", "is " + draft.capacity() + ", not 1 or more");
    }
    int count = draft.orders().size();
    if (count > ProblemDraft.ORDERS_MAX) {
      return new Fault("orders", "are " + count + ", not up to " + ProblemDraft.ORDERS_MAX);
    }
    long onBoard = draft.orders().stream().filter(PlanOrder::pickedUp).count();
    return onBoard > draft.capacity()
        ? new Fault("capacity", "is " + draft.capacity() + ", but " + onBoard + " are picked up")
        : null;
  }

  private static @Nullable Fault orders(List<PlanOrder> orders, int nodes) {
    int[] pickedUpHere = new int[nodes];
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < orders.size(); i++) {
      PlanOrder order = orders.get(i);
      Fault fault = order("orders[" + i + "]", order, nodes);
      if (fault != null) {
        return fault;
      }
      if (!ids.add(order.id())) {
        return new Fault("orders[" + i + "].orderId", "is also that of an order before it");
      }
      if (!order.pickedUp()) {
        pickedUpHere[order.pickup()] = i + 1;
      }
    }
    for (int i = 0; i < orders.size(); i++) {
      int other = pickedUpHere[orders.get(i).dropoff()];
      if (other != 0) {
        return new Fault(
            "orders[" + i + "].dropoff", "is the node at which orders[" + (other - 1) + "] starts");
      }
    }
    return null;
  }

  private static @Nullable Fault order(String at, PlanOrder order, int nodes) {
    if (order.dropoff() < 0 || order.dropoff() >= nodes) {
      return noNode(at + ".dropoff", order.dropoff(), nodes);
    }
    if (!order.pickedUp() && (order.pickup() < 0 || order.pickup() >= nodes)) {
      return noNode(at + ".pickup", order.pickup(), nodes);
    }
    if (!order.pickedUp() && order.pickup() == order.dropoff()) {
      return new Fault(at + ".dropoff", "is the node of its pickup");
    }
    if (!order.pickedUp() && isBeyond(order.readyAt())) {
      return new Fault(
          at + ".readyAt", "is further than " + ProblemDraft.TIME_MAX + " from the start");
    }
    if (order.dueBy() != PlanOrder.NEVER_DUE && isBeyond(order.dueBy())) {
      return new Fault(
          at + ".dueBy", "is further than " + ProblemDraft.TIME_MAX + " from the start");
    }
    return null;
  }

  private static boolean isBeyond(long time) {
    return time < -ProblemDraft.TIME_MAX || time > ProblemDraft.TIME_MAX;
  }

  private static Fault noNode(String field, int node, int nodes) {
    return new Fault(field, "is " + node + ", not a node (0 to " + (nodes - 1) + ")");
  }
}
