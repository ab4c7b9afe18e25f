package gilmok.lab.capacity;

import java.util.List;

/**
 * One line of the table: a goal and its measured value.
 *
 * @param what what is measured, in words
 * @param reach the goal, in words
 * @param measured the measured value, in words
 * @param passed whether the goal was reached; never true for a void run
 * @param rounds all runs that the value is based on
 */
record Finding(
    String what, String reach, String measured, boolean passed, List<Measurement> rounds) {

  Chapter.Verdict verdict() {
    return new Chapter.Verdict(what, reach, measured, passed);
  }

  static Finding of(
      String what, String reach, String measured, boolean reached, List<Measurement> rounds) {
    boolean valid = rounds.stream().allMatch(Measurement::valid);
    return new Finding(what, reach, measured + (valid ? "" : " (VOID)"), reached && valid, rounds);
  }
}
