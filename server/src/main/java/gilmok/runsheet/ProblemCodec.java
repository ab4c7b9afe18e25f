package gilmok.runsheet;

import gilmok.runsheet.plan.Objective;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoding of a problem, big-endian. The orders' ids are left out: a plan names orders by
 * index.
 *
 * <pre>
 * nodes int, costs int[nodes²], start int, end int (-1: none)
 * service long, capacity int, lateness first byte
 * orders int, each: pickup int, dropoff int, ready long, due long, picked up byte
 * </pre>
 */
final class ProblemCodec {
  private static final int HEAD_BYTES = 5 * Integer.BYTES + Long.BYTES + Byte.BYTES;
  private static final int ORDER_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES + Byte.BYTES;
  private static final int NO_NODE = -1;

  private ProblemCodec() {}

  static int size(PlanProblem problem) {
    return HEAD_BYTES
        + problem.nodes() * problem.nodes() * Integer.BYTES
        + problem.orders().size() * ORDER_BYTES;
  }

  static void write(PlanProblem problem, ByteBuffer out) {
    int nodes = problem.nodes();
    out.putInt(nodes);
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        out.putInt(problem.cost(from, to));
      }
    }
    Integer end = problem.end();
    out.putInt(problem.start()).putInt(end == null ? NO_NODE : end);
    out.putLong(problem.serviceTime()).putInt(problem.capacity());
    out.put((byte) (problem.objective() == Objective.TRAVEL ? 0 : 1));
    out.putInt(problem.orders().size());
    for (PlanOrder order : problem.orders()) {
      out.putInt(order.pickup()).putInt(order.dropoff());
      out.putLong(order.readyAt()).putLong(order.dueBy());
      out.put((byte) (order.pickedUp() ? 1 : 0));
    }
  }

  /**
   * Reads a problem that {@link #write} wrote.
   *
   * @throws IOException when it is not a valid problem
   */
  static PlanProblem read(ByteBuffer in) throws IOException {
    int nodes = in.getInt();
    if (nodes < 1 || nodes > ProblemDraft.NODES_MAX) {
      throw new IOException("no problem: it has " + nodes + " nodes");
    }
    long[][] matrix = new long[nodes][nodes];
    for (long[] row : matrix) {
      for (int to = 0; to < nodes; to++) {
        row[to] = in.getInt();
      }
    }
    int start = in.getInt();
    int end = in.getInt();
    long service = in.getLong();
    int capacity = in.getInt();
    Objective objective = in.get() == 0 ? Objective.TRAVEL : Objective.LATENESS_THEN_TRAVEL;
    int count = in.getInt();
    List<PlanOrder> orders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      orders.add(
          new PlanOrder(
              Integer.toString(i),
              in.getInt(),
              in.getInt(),
              in.getLong(),
              in.getLong(),
              in.get() == 1));
    }
    ProblemDraft draft =
        new ProblemDraft(
            matrix, start, end == NO_NODE ? null : end, orders, service, capacity, objective);
    return switch (Review.of(draft)) {
      case Review.Sound(PlanProblem problem) -> problem;
      case Review.Fault fault -> throw new IOException(fault.field() + " " + fault.reason());
    };
  }
}
