package gilmok.runsheet;

import gilmok.runsheet.Riders.Open;
import gilmok.runsheet.Riders.Sighting;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.util.ArrayList;
import java.util.List;

/**
 * What a rider has to do, as a problem: from where the rider was last, all that is open, in seconds
 * from now.
 *
 * @param open the rider's deliveries; the problem's orders have the same places
 * @param points where the problem's nodes are
 */
record RiderSheet(Sighting from, List<Open> open, List<GroundPoint> points, long nowMillis) {
  /** Streets beside the straight line, as the customer's page has it. */
  private static final double DETOUR = 1.3;

  /** Puts the nodes in order. */
  static RiderSheet of(Sighting from, List<Open> open, long nowMillis) {
    List<GroundPoint> points = new ArrayList<>();
    points.add(from.point());
    for (Open one : open) {
      points.add(one.pickup());
      points.add(one.dropoff());
    }
    return new RiderSheet(from, open, points, nowMillis);
  }

  /** The problem; a fault when a delivery says times that are too far away. */
  Review problem(RiderQuestion question) {
    List<PlanOrder> orders = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      Open one = open.get(i);
      Long ready = one.readyAtMillis();
      Long due = one.dueByMillis();
      orders.add(
          new PlanOrder(
              one.deliveryId(),
              1 + 2 * i,
              2 + 2 * i,
              ready == null ? 0 : Math.ceilDiv(ready - nowMillis, 1000L),
              due == null ? PlanOrder.NEVER_DUE : Math.floorDiv(due - nowMillis, 1000L),
              one.pickedUp()));
    }
    return Review.of(
        new ProblemDraft(
            GroundPoint.seconds(points, question.speed() / DETOUR),
            0,
            null,
            orders,
            question.serviceSeconds(),
            ProblemDraft.ORDERS_MAX,
            question.objective()));
  }

  /** When that is that is so many seconds from now; epoch ms. */
  long atMillis(long seconds) {
    return nowMillis + 1000 * seconds;
  }
}
