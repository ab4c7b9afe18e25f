package gilmok.runsheet.plan;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Everything that a draft can have wrong, in the order in which it is told. */
final class Review {
  private Review() {}

  /** The first thing that is wrong, or null. */
  static @Nullable DraftFault fault(ProblemDraft draft) {
    DraftFault fault = matrix(draft.matrix());
    if (fault == null) {
      fault = whole(draft);
    }
    return fault == null ? orders(draft.orders(), draft.matrix().length) : fault;
  }

  private static @Nullable DraftFault matrix(long[][] matrix) {
    int nodes = matrix.length;
    if (nodes == 0 || nodes > PlanProblem.NODES_MAX) {
      return new DraftFault("matrix", "has " + nodes + " rows, not 1 to " + PlanProblem.NODES_MAX);
    }
    for (int from = 0; from < nodes; from++) {
      if (matrix[from].length != nodes) {
        return new DraftFault(
            "matrix[" + from + "]",
            "has " + matrix[from].length + " entries, but there are " + nodes + " rows");
      }
      for (int to = 0; to < nodes; to++) {
        if (matrix[from][to] < 0 || matrix[from][to] > PlanProblem.COST_MAX) {
          return new DraftFault(
              "matrix[" + from + "][" + to + "]",
              "is " + matrix[from][to] + ", not 0 to " + PlanProblem.COST_MAX);
        }
      }
    }
    return null;
  }

  private static @Nullable DraftFault whole(ProblemDraft draft) {
    int nodes = draft.matrix().length;
    if (draft.start() < 0 || draft.start() >= nodes) {
      return noNode("start", draft.start(), nodes);
    }
    if (draft.end() != null && (draft.end() < 0 || draft.end() >= nodes)) {
      return noNode("end", draft.end(), nodes);
    }
    if (draft.serviceTime() < 0 || draft.serviceTime() > PlanProblem.COST_MAX) {
      return new DraftFault(
          "serviceTime", "is " + draft.serviceTime() + ", not 0 to " + PlanProblem.COST_MAX);
    }
    if (draft.capacity() < 1) {
      return new DraftFault("capacity", "is " + draft.capacity() + ", not 1 or more");
    }
    int count = draft.orders().size();
    if (count > PlanProblem.ORDERS_MAX) {
      return new DraftFault("orders", "are " + count + ", not up to " + PlanProblem.ORDERS_MAX);
    }
    long onBoard = draft.orders().stream().filter(PlanOrder::pickedUp).count();
    return onBoard > draft.capacity()
        ? new DraftFault(
            "capacity", "is " + draft.capacity() + ", but " + onBoard + " are picked up")
        : null;
  }

  private static @Nullable DraftFault orders(List<PlanOrder> orders, int nodes) {
    int[] pickedUpHere = new int[nodes];
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < orders.size(); i++) {
      PlanOrder order = orders.get(i);
      DraftFault fault = order("orders[" + i + "]", order, nodes);
      if (fault != null) {
        return fault;
      }
      if (!ids.add(order.id())) {
        return new DraftFault("orders[" + i + "].orderId", "is also that of an order before it");
      }
      if (!order.pickedUp()) {
        pickedUpHere[order.pickup()] = i + 1;
      }
    }
    for (int i = 0; i < orders.size(); i++) {
      int other = pickedUpHere[orders.get(i).dropoff()];
      if (other != 0) {
        return new DraftFault(
            "orders[" + i + "].dropoff", "is the node at which orders[" + (other - 1) + "] starts");
      }
    }
    return null;
  }

  private static @Nullable DraftFault order(String at, PlanOrder order, int nodes) {
    if (order.dropoff() < 0 || order.dropoff() >= nodes) {
      return noNode(at + ".dropoff", order.dropoff(), nodes);
    }
    if (!order.pickedUp() && (order.pickup() < 0 || order.pickup() >= nodes)) {
      return noNode(at + ".pickup", order.pickup(), nodes);
    }
    if (!order.pickedUp() && order.pickup() == order.dropoff()) {
      return new DraftFault(at + ".dropoff", "is the node of its pickup");
    }
    if (!order.pickedUp() && isBeyond(order.readyAt())) {
      return new DraftFault(
          at + ".readyAt", "is further than " + PlanProblem.TIME_MAX + " from the start");
    }
    if (order.dueBy() != PlanOrder.NEVER_DUE && isBeyond(order.dueBy())) {
      return new DraftFault(
          at + ".dueBy", "is further than " + PlanProblem.TIME_MAX + " from the start");
    }
    return null;
  }

  private static boolean isBeyond(long time) {
    return time < -PlanProblem.TIME_MAX || time > PlanProblem.TIME_MAX;
  }

  private static DraftFault noNode(String field, int node, int nodes) {
    return new DraftFault(field, "is " + node + ", not a node (0 to " + (nodes - 1) + ")");
  }
}
