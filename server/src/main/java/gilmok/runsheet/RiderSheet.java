package gilmok.runsheet;

import gilmok.runsheet.Riders.Open;
import gilmok.runsheet.Riders.Sighting;
import gilmok.runsheet.plan.PlanOrder;
import gilmok.runsheet.plan.ProblemDraft;
import gilmok.runsheet.plan.Review;
import java.util.ArrayList;
import java.util.List;

/**
 * A rider's open stops as a problem: the start is the rider's latest position, the orders are the
 * open deliveries, and times are in seconds from now.
 *
 * @param open the rider's deliveries, with the same indexes as the problem's orders
 * @param points the positions of the problem's nodes
 */
record RiderSheet(Sighting from, List<Open> open, List<GroundPoint> points, long nowMillis) {
  /**
   * How much longer streets are than a straight line; the same factor as on the customer's page.
   */
  private static final double DETOUR = 1.3;

  /** Assigns the nodes: the rider's position, then the stops of the deliveries. */
  static RiderSheet of(Sighting from, List<Open> open, long nowMillis) {
    List<GroundPoint> points = new ArrayList<>();
    points.add(from.point());
    for (Open one : open) {
      points.add(one.pickup());
      points.add(one.dropoff());
    }
    return new RiderSheet(from, open, points, nowMillis);
  }

  /** The problem; a {@link Review.Fault} if a delivery's times are too far from now. */
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

  /** The time that is the given number of seconds from now, epoch ms. */
  long atMillis(long seconds) {
    return nowMillis + 1000 * seconds;
  }
}
