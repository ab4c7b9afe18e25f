package gilmok.lab.plan;

import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A named problem with its known optimum. In a file, a line holds one case with {@code nodes} (the
 * start, an end that costs nothing, then each order's pickup and drop-off), {@code edges} (the
 * matrix) and {@code optimal}, 0 if it is unknown.
 */
record Case(String name, PlanProblem problem, long optimal) {
  private static final Pattern LINE =
      Pattern.compile("\"name\":\"([^\"]+)\".*\"edges\":\\[\\[(.*)]].*\"optimal\":(\\d+)");

  private static final int FIRST_PICKUP = 2;
  private static final int SIDE_METRES = 10_000;

  /** Parses a line. */
  static Case read(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.find()) {
      throw new IllegalArgumentException("no case: " + line);
    }
    long[][] matrix =
        Arrays.stream(matcher.group(2).split("],\\["))
            .map(row -> Arrays.stream(row.split(",")).mapToLong(Long::parseLong).toArray())
            .toArray(long[][]::new);
    return of(matcher.group(1), matrix, Long.parseLong(matcher.group(3)));
  }

  /** A random case: nodes in a square of 10 km, with straight distances in metres. */
  static Case random(int orders, long seed) {
    Random random = new Random(seed * 1000 + orders);
    int nodes = FIRST_PICKUP + 2 * orders;
    double[] x = random.doubles(nodes, 0, SIDE_METRES).toArray();
    double[] y = random.doubles(nodes, 0, SIDE_METRES).toArray();
    long[][] matrix = new long[nodes][nodes];
    for (int a = 0; a < nodes; a++) {
      for (int b = 0; b < nodes; b++) {
        boolean isEnd = a == 1 || b == 1;
        matrix[a][b] = isEnd ? 0 : Math.round(Math.hypot(x[a] - x[b], y[a] - y[b]));
      }
    }
    return of("random-" + orders + "-" + seed, matrix, 0);
  }

  /** A case of a matrix: the start, the end, then each order's pickup and drop-off. */
  static Case of(String name, long[][] matrix, long optimal) {
    List<PlanOrder> orders = new ArrayList<>();
    for (int pickup = FIRST_PICKUP; pickup < matrix.length; pickup += 2) {
      orders.add(new PlanOrder("o" + (pickup / 2 - 1), pickup, pickup + 1));
    }
    return switch (Review.of(new ProblemDraft(matrix, 0, 1, orders))) {
      case Review.Sound(PlanProblem problem) -> new Case(name, problem, optimal);
      case Review.Fault fault -> throw new IllegalArgumentException(name + ": " + fault);
    };
  }

  int orders() {
    return problem.orders().size();
  }

  /** The case as a line. */
  String line() {
    return "{\"name\":\"" + name + "\",\"edges\":" + matrix() + ",\"optimal\":" + optimal + "}";
  }

  /** The body of a request for the case. */
  String body(long budgetMillis) {
    String orders =
        problem.orders().stream()
            .map(
                order ->
                    "{\"orderId\":\"%s\",\"pickup\":%d,\"dropoff\":%d}"
                        .formatted(order.id(), order.pickup(), order.dropoff()))
            .collect(Collectors.joining(",", "[", "]"));
    return "{\"matrix\":%s,\"start\":0,\"end\":1,\"orders\":%s,\"budgetMs\":%d}"
        .formatted(matrix(), orders, budgetMillis);
  }

  private String matrix() {
    StringBuilder line = new StringBuilder("[");
    for (int a = 0; a < problem.nodes(); a++) {
      line.append(a == 0 ? "[" : ",[");
      for (int b = 0; b < problem.nodes(); b++) {
        line.append(b == 0 ? "" : ",").append(problem.cost(a, b));
      }
      line.append(']');
    }
    return line.append(']').toString();
  }
}
