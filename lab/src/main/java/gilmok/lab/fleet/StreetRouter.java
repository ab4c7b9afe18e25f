package gilmok.lab.fleet;

import java.util.Arrays;

/**
 * Finds good routes through the streets, like somebody who knows the city: not always the shortest
 * one, and rather on main roads. A* with an overestimating heuristic. Allocates only the result.
 * Not thread-safe.
 */
final class StreetRouter {
  private static final float DIRECTION_TRUST = 1.15f;
  private static final int[] NONE = {};

  private final Streets streets;
  private final float[] cost;
  private final int[] from;
  private final int[] search;
  private final boolean[] settled;
  private int searches;

  /** A heap of crossings, the most promising first. */
  private int[] open = new int[1024];

  private float[] promise = new float[1024];
  private int openSize;

  StreetRouter(Streets streets) {
    this.streets = streets;
    cost = new float[streets.size()];
    from = new int[streets.size()];
    search = new int[streets.size()];
    settled = new boolean[streets.size()];
  }

  /** The crossings from one to another, both included; empty if there is no route. */
  int[] route(int start, int end) {
    searches++;
    openSize = 0;
    reach(start, -1, 0);
    push(start, 0);
    while (openSize > 0) {
      int here = pop();
      if (here == end) {
        return path(end);
      }
      if (settled[here]) {
        continue;
      }
      settled[here] = true;
      for (int way = streets.firstWay(here); way < streets.endWay(here); way++) {
        int next = streets.target(way);
        float total = (float) (cost[here] + streets.length(way) * streets.kind(way).detour());
        if (search[next] != searches || (total < cost[next] && !settled[next])) {
          reach(next, here, total);
          double dx = streets.x(end) - streets.x(next);
          double dy = streets.y(end) - streets.y(next);
          push(next, total + DIRECTION_TRUST * (float) Math.sqrt(dx * dx + dy * dy));
        }
      }
    }
    return NONE;
  }

  private void reach(int crossing, int before, float total) {
    search[crossing] = searches;
    settled[crossing] = false;
    from[crossing] = before;
    cost[crossing] = total;
  }

  private int[] path(int end) {
    int count = 0;
    for (int i = end; i >= 0; i = from[i]) {
      count++;
    }
    int[] path = new int[count];
    for (int i = end; i >= 0; i = from[i]) {
      path[--count] = i;
    }
    return path;
  }

  private void push(int crossing, float value) {
    if (openSize == open.length) {
      open = Arrays.copyOf(open, 2 * openSize);
      promise = Arrays.copyOf(promise, 2 * openSize);
    }
    int i = openSize++;
    while (i > 0 && promise[(i - 1) / 2] > value) {
      open[i] = open[(i - 1) / 2];
      promise[i] = promise[(i - 1) / 2];
      i = (i - 1) / 2;
    }
    open[i] = crossing;
    promise[i] = value;
  }

  private int pop() {
    int top = open[0];
    openSize--;
    int crossing = open[openSize];
    float value = promise[openSize];
    int i = 0;
    while (2 * i + 1 < openSize) {
      int child = 2 * i + 1;
      if (child + 1 < openSize && promise[child + 1] < promise[child]) {
        child++;
      }
      if (promise[child] >= value) {
        break;
      }
      open[i] = open[child];
      promise[i] = promise[child];
      i = child;
    }
    open[i] = crossing;
    promise[i] = value;
    return top;
  }
}
