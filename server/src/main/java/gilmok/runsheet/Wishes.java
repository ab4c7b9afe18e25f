package gilmok.runsheet;

import gilmok.runsheet.Asked.Given;
import gilmok.runsheet.Asked.Wanted;
import gilmok.runsheet.Asked.Where;
import gilmok.runsheet.RunSheetBody.Wish;
import gilmok.runsheet.RunSheetBody.Wrong;
import gilmok.runsheet.plan.Check;
import gilmok.runsheet.plan.Draft;
import gilmok.runsheet.plan.Fault;
import gilmok.runsheet.plan.Order;
import gilmok.runsheet.plan.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a problem of what a body said, whose fields may not fit together. */
final class Wishes {
  private final Asked asked;
  private final boolean hasMatrix;
  private final List<Point> points = new ArrayList<>();
  private @Nullable Wrong wrong;

  private Wishes(Asked asked) {
    this.asked = asked;
    hasMatrix = asked.matrix != null;
  }

  /** The wish that was asked, or what is wrong with it. */
  static RunSheetBody of(Asked asked) {
    return new Wishes(asked).make();
  }

  private RunSheetBody make() {
    List<Wanted> wanted = asked.orders;
    if (asked.start == null || wanted == null) {
      return new Wrong(asked.start == null ? "start" : "orders", "is missing");
    }
    if (hasMatrix && asked.speed != null) {
      return new Wrong("speed", "is for coordinates, but there is a matrix");
    }
    int start = node("start", asked.start);
    Integer end = asked.end == null ? null : node("end", asked.end);
    List<Order> orders = new ArrayList<>();
    for (int i = 0; i < wanted.size() && wrong == null; i++) {
      orders.add(order("orders[" + i + "].", wanted.get(i)));
    }
    if (wrong != null) {
      return wrong;
    }
    long[][] matrix = asked.matrix;
    if (matrix == null) {
      if (asked.speed == null) {
        return new Wrong("speed", "is missing: metres a second");
      }
      matrix = Point.seconds(points, asked.speed);
    }
    Draft draft =
        new Draft(matrix, start, end, orders, asked.serviceTime, asked.capacity, asked.objective);
    return switch (Problem.of(draft)) {
      case Fault fault -> new Wrong(fault.field(), fault.reason());
      case Problem problem -> wish(problem);
    };
  }

  private RunSheetBody wish(Problem problem) {
    List<Check.Visit> visits = asked.plan == null ? null : visits(problem, asked.plan);
    return wrong != null
        ? wrong
        : new Wish(problem, hasMatrix ? null : points, visits, asked.budgetMillis);
  }

  private Order order(String at, Wanted wanted) {
    int pickup = wanted.pickup == null || wanted.pickedUp ? -1 : node(at + "pickup", wanted.pickup);
    int dropoff = wanted.dropoff == null ? -1 : node(at + "dropoff", wanted.dropoff);
    return new Order(wanted.id, pickup, dropoff, wanted.readyAt, wanted.dueBy, wanted.pickedUp);
  }

  /** The number of a node; a point becomes a node of its own. */
  private int node(String field, Where where) {
    switch (where) {
      case Where.Node node -> {
        if (!hasMatrix) {
          wrong("matrix", "is missing, but " + field + " is a node of it");
        }
        return node.number();
      }
      case Where.At at -> {
        if (hasMatrix) {
          wrong(field, "is a coordinate, but there is a matrix: say a node of it");
        }
        points.add(at.point());
        return points.size() - 1;
      }
    }
  }

  private List<Check.Visit> visits(Problem problem, List<Given> plan) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < problem.orders().size(); i++) {
      places.put(problem.orders().get(i).id(), i);
    }
    List<Check.Visit> visits = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      Integer place = places.get(plan.get(i).orderId());
      if (place == null) {
        wrong("plan[" + i + "].orderId", "is no order of this request");
      } else {
        visits.add(new Check.Visit(place, plan.get(i).kind()));
      }
    }
    return visits;
  }

  private void wrong(String field, String reason) {
    wrong = wrong == null ? new Wrong(field, reason) : wrong;
  }
}
