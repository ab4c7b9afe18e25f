package gilmok.runsheet;

import gilmok.runsheet.RunSheetBody.Wish;
import gilmok.runsheet.RunSheetBody.Wrong;
import gilmok.runsheet.RunSheetRequest.Given;
import gilmok.runsheet.RunSheetRequest.Wanted;
import gilmok.runsheet.RunSheetRequest.Where;
import gilmok.runsheet.plan.PlanCheck;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.PlanProblem;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a problem from the fields of a body, and checks that they fit together. */
final class RequestAssembler {
  private final RunSheetRequest request;
  private final boolean hasMatrix;
  private final List<GroundPoint> points = new ArrayList<>();
  private @Nullable Wrong wrong;

  RequestAssembler(RunSheetRequest request) {
    this.request = request;
    hasMatrix = request.matrix != null;
  }

  /** The problem of the request, or its first error. */
  RunSheetBody make() {
    List<Wanted> wanted = request.orders;
    if (request.start == null || wanted == null) {
      return new Wrong(request.start == null ? "start" : "orders", "is missing");
    }
    if (hasMatrix && request.speed != null) {
      return new Wrong("speed", "is for coordinates, but there is a matrix");
    }
    int start = node("start", request.start);
    Integer end = request.end == null ? null : node("end", request.end);
    List<PlanOrder> orders = new ArrayList<>();
    for (int i = 0; i < wanted.size() && wrong == null; i++) {
      orders.add(order("orders[" + i + "].", wanted.get(i)));
    }
    if (wrong != null) {
      return wrong;
    }
    long[][] matrix = request.matrix;
    if (matrix == null) {
      if (request.speed == null) {
        return new Wrong("speed", "is missing: metres a second");
      }
      matrix = GroundPoint.seconds(points, request.speed);
    }
    ProblemDraft draft =
        new ProblemDraft(
            matrix, start, end, orders, request.serviceTime, request.capacity, request.objective);
    return switch (Review.of(draft)) {
      case Review.Fault fault -> new Wrong(fault.field(), fault.reason());
      case Review.Sound(PlanProblem problem) -> wish(problem);
    };
  }

  private RunSheetBody wish(PlanProblem problem) {
    List<PlanCheck.Visit> visits = request.plan == null ? null : visits(problem, request.plan);
    return wrong != null
        ? wrong
        : new Wish(problem, hasMatrix ? null : points, visits, request.budgetMillis);
  }

  private PlanOrder order(String at, Wanted wanted) {
    int pickup = wanted.pickup == null || wanted.pickedUp ? -1 : node(at + "pickup", wanted.pickup);
    int dropoff = wanted.dropoff == null ? -1 : node(at + "dropoff", wanted.dropoff);
    return new PlanOrder(wanted.id, pickup, dropoff, wanted.readyAt, wanted.dueBy, wanted.pickedUp);
  }

  /** The index of a node; a point is added as a new node. */
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

  private List<PlanCheck.Visit> visits(PlanProblem problem, List<Given> plan) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < problem.orders().size(); i++) {
      places.put(problem.orders().get(i).id(), i);
    }
    List<PlanCheck.Visit> visits = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      Integer place = places.get(plan.get(i).orderId());
      if (place == null) {
        wrong("plan[" + i + "].orderId", "is no order of this request");
      } else {
        visits.add(new PlanCheck.Visit(place, plan.get(i).kind()));
      }
    }
    return visits;
  }

  private void wrong(String field, String reason) {
    wrong = wrong == null ? new Wrong(field, reason) : wrong;
  }
}
