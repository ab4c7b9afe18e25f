package gilmok.performance;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds the best order of stops, apart and bounded. Thread-safe; calls block. */
public interface TourPlanner {
  /** Most orders of a tour that is planned. */
  int ORDERS_MAX = 100;

  /**
   * The best order that was found.
   *
   * @param cost the sum of its ways
   * @param isProven whether no order is better
   */
  record Best(long cost, boolean isProven) {}

  /**
   * Plans a tour.
   *
   * @param matrix the cost from node to node; node 0 is where it begins
   * @param orders for each order the nodes of its pickup and its drop-off
   * @return null if there was no room to plan it now
   */
  @Nullable Best best(long[][] matrix, int[][] orders) throws IOException, InterruptedException;
}
