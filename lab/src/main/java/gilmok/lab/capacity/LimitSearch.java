package gilmok.lab.capacity;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the highest rate that holds. It doubles the rate until two in a row do not hold, narrows
 * the gap by the geometric mean, and repeats the highest rate that held; if most of the repeats do
 * not hold, it goes down. A step that does not hold is tried once more before it counts, as the
 * machine may have been busy with something else. Not thread-safe; blocks.
 */
final class LimitSearch {
  /** The gap between what holds and what does not is narrowed to this. */
  static final double RESOLUTION = 1.06;

  private static final double DOWN = 0.92;
  private static final int DOWN_MAX = 8;
  private static final int DOUBLINGS_MAX = 24;
  private static final int HALVINGS_MAX = 6;

  private final Trial trial;
  private final int repeats;

  /** Makes a step. */
  @FunctionalInterface
  interface Trial {
    /**
     * Makes a step at a rate.
     *
     * @param units a second
     * @param isRough whether a short one will do
     */
    LoadStep at(String what, double units, boolean isRough)
        throws IOException, InterruptedException;
  }

  /**
   * What was found.
   *
   * @param units the highest rate that holds, a second; 0 if none did
   * @param repeats the steps at that rate
   * @param above the lowest rate that did not hold
   */
  record Found(double units, List<LoadStep> repeats, double above) {}

  LimitSearch(Trial trial, int repeats) {
    this.trial = trial;
    this.repeats = repeats;
  }

  /** Searches, from a rate on that is low, up to another. */
  Found find(double first, double most) throws IOException, InterruptedException {
    double holds = 0;
    double fails = 0;
    double rate = first;
    for (int i = 0, failed = 0; i < DOUBLINGS_MAX && failed < 2 && rate <= most; i++, rate *= 2) {
      if (holds(rate, true)) {
        holds = rate;
        failed = 0;
      } else {
        fails = failed == 0 ? rate : fails;
        failed++;
      }
    }
    if (holds == 0) {
      holds = below(first);
    }
    if (fails == 0) {
      fails = rate; // it was not asked for
    }
    while (holds > 0 && fails / holds > RESOLUTION && fails <= most) {
      double middle = Math.sqrt(holds * fails);
      if (holds(middle, false)) {
        holds = middle;
      } else {
        fails = middle;
      }
    }
    return repeated(holds, fails);
  }

  /** The first rate was not low enough: halves it. */
  private double below(double first) throws IOException, InterruptedException {
    double rate = first / 2;
    for (int i = 0; i < HALVINGS_MAX; i++, rate /= 2) {
      if (holds(rate, true)) {
        return rate;
      }
    }
    return 0;
  }

  private boolean holds(double units, boolean isRough) throws IOException, InterruptedException {
    return trial.at("search", units, isRough).holds() || trial.at("again", units, isRough).holds();
  }

  private Found repeated(double holds, double fails) throws IOException, InterruptedException {
    double rate = holds;
    double above = fails;
    for (int down = 0; rate > 0 && down < DOWN_MAX; down++) {
      List<LoadStep> steps = new ArrayList<>();
      int held = 0;
      for (int i = 0; i < repeats; i++) {
        LoadStep step = trial.at("repeat", rate, false);
        steps.add(step);
        held += step.holds() ? 1 : 0;
      }
      if (2 * held > repeats) {
        return new Found(rate, steps, above);
      }
      above = rate;
      rate *= DOWN;
    }
    return new Found(0, List.of(), above);
  }
}
