package gilmok.runsheet.plan;

import java.util.Arrays;

/**
 * Removes orders from a tour: strings of consecutive stops that are near one another on the map,
 * with the other stop of every order in them.
 */
// After J. Christiaens and G. Vanden Berghe, Slack Induction by String Removals for Vehicle Routing
// Problems, Transportation Science 54, 2020. They take strings from several tours; here the strings
// come from several parts of one. A string may skip some stops in its middle (their "split
// string").
final class Ruin {
  private static final int STRING_MAX = 16;
  private static final int NEIGHBOURS_MAX = 60;
  private static final int MEAN_MAX = 10;

  private final SearchProblem search;
  private final Dice dice;
  private final int[][] neighbours;
  private final int[] indexes;
  private final boolean[] isOut;
  private final int mean;

  /** The orders removed last, and their number. */
  final int[] out;

  int outCount;

  Ruin(SearchProblem search, Dice dice) {
    this.search = search;
    this.dice = dice;
    neighbours = new int[search.start][];
    indexes = new int[search.width];
    isOut = new boolean[search.orders];
    out = new int[search.orders];
    mean = Math.clamp(search.orders * 2 / 5, 2, MEAN_MAX);
    for (int place = 0; place < search.start; place++) {
      neighbours[place] = search.isStop(place) ? near(place) : new int[0];
    }
  }

  private int[] near(int place) {
    long[] keys = new long[search.start];
    int count = 0;
    for (int other = 0; other < search.start; other++) {
      if (search.isStop(other)) {
        long near = Math.min(search.cost(place, other), search.cost(other, place));
        keys[count++] = near << 16 | other;
      }
    }
    Arrays.sort(keys, 0, count);
    int[] near = new int[Math.min(count, NEIGHBOURS_MAX)];
    for (int i = 0; i < near.length; i++) {
      near[i] = (int) (keys[i] & 0xffff);
    }
    return near;
  }

  /** Removes orders from a tour that has at least one; {@link #out} then holds them. */
  void apply(Tour tour) {
    int stops = tour.length - 2;
    for (int i = 1; i <= stops; i++) {
      indexes[tour.places[i]] = i;
    }
    Arrays.fill(isOut, false);
    outCount = 0;
    int stringMax = Math.min(STRING_MAX, Math.max(2, stops / 3));
    double stringsMax = Math.max(0, 4.0 * mean / (1 + stringMax) - 1);
    int strings = 1 + (int) (dice.share() * (stringsMax + 1));
    int seed = tour.places[1 + dice.below(stops)];
    for (int place : neighbours[seed]) {
      if (strings == 0) {
        break;
      }
      if (!isOut[search.orderOf(place)]) {
        cut(tour, indexes[place], Math.min(stops, 1 + dice.below(stringMax)));
        strings--;
      }
    }
    close(tour);
  }

  /** Removes a string of a length around an index, sometimes with a gap. */
  private void cut(Tour tour, int index, int length) {
    int stops = tour.length - 2;
    int gap = 0;
    if (length > 1 && length < stops && dice.below(2) == 0) {
      gap = 1 + dice.below(Math.min(stops - length, STRING_MAX));
    }
    int whole = length + gap;
    int firstMin = Math.max(1, index - whole + 1);
    int firstMax = Math.min(index, stops - whole + 1);
    int first = firstMin + dice.below(firstMax - firstMin + 1);
    int gapAt = gap == 0 ? 0 : first + 1 + dice.below(length - 1);
    for (int i = first; i < first + whole; i++) {
      int order = search.orderOf(tour.places[i]);
      boolean isKept = gap > 0 && i >= gapAt && i < gapAt + gap;
      if (!isOut[order] && (!isKept || i == index)) {
        isOut[order] = true;
        out[outCount++] = order;
      }
    }
  }

  private void close(Tour tour) {
    int kept = 1;
    for (int i = 1; i < tour.length; i++) {
      int place = tour.places[i];
      if (place == search.end || !isOut[search.orderOf(place)]) {
        tour.places[kept++] = place;
      }
    }
    tour.length = kept;
  }
}
