package gilmok.lab.fleet;

import gilmok.lab.fleet.Streets.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The streets as long lines: at each crossing a street goes on with the way of its kind that turns
 * least. Not thread-safe; used once.
 */
final class StreetLines {
  /** Streets that turn more do not go on; the cosine of the angle. */
  private static final double STRAIGHT = 0.6;

  private final Streets streets;
  private final BitSet drawn = new BitSet();
  private final List<Street> lines = new ArrayList<>();

  /** A street, by its crossings. */
  @SuppressWarnings("ArrayRecordComponent") // drawn, and not compared
  record Street(Kind kind, int[] crossings) {}

  private StreetLines(Streets streets) {
    this.streets = streets;
  }

  static List<Street> of(Streets streets) {
    StreetLines all = new StreetLines(streets);
    for (int crossing = 0; crossing < streets.size(); crossing++) {
      for (int way = streets.firstWay(crossing); way < streets.endWay(crossing); way++) {
        if (!all.drawn.get(way)) {
          all.draw(crossing, way);
        }
      }
    }
    return all.lines;
  }

  /** Draws a line from the beginning of the street that a way is part of. */
  private void draw(int crossing, int way) {
    int[] back = follow(streets.target(way), streets.way(streets.target(way), crossing));
    int start = back[back.length - 1];
    int[] line = back;
    if (back.length > 1 && start != streets.target(way)) {
      undraw(back);
      line = follow(start, streets.way(start, back[back.length - 2]));
    }
    lines.add(new Street(streets.kind(way), line));
  }

  private void undraw(int[] line) {
    for (int i = 0; i + 1 < line.length; i++) {
      drawn.clear(streets.way(line[i], line[i + 1]));
      drawn.clear(streets.way(line[i + 1], line[i]));
    }
  }

  private int[] follow(int crossing, int way) {
    int[] line = new int[16];
    int count = 0;
    line[count++] = crossing;
    int here = crossing;
    int next = way;
    while (next >= 0) {
      int there = streets.target(next);
      drawn.set(next);
      drawn.set(streets.way(there, here));
      line = count == line.length ? Arrays.copyOf(line, 2 * count) : line;
      line[count++] = there;
      int onward = onward(here, there, streets.kind(next));
      here = there;
      next = onward;
    }
    return Arrays.copyOf(line, count);
  }

  /** The way on which a street goes on; -1 where it ends. */
  private int onward(int from, int at, Kind kind) {
    int best = -1;
    double straightest = STRAIGHT;
    for (int way = streets.firstWay(at); way < streets.endWay(at); way++) {
      if (streets.kind(way) == kind && !drawn.get(way)) {
        double straight = cosine(from, at, streets.target(way));
        if (straight > straightest) {
          straightest = straight;
          best = way;
        }
      }
    }
    return best;
  }

  private double cosine(int from, int at, int to) {
    double ax = streets.x(at) - streets.x(from);
    double ay = streets.y(at) - streets.y(from);
    double bx = streets.x(to) - streets.x(at);
    double by = streets.y(to) - streets.y(at);
    return (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by));
  }
}
