package gilmok.lab.capacity;

import java.util.List;

/**
 * One line of the table: what was to be reached and what was.
 *
 * @param what in words
 * @param reach the goal in words
 * @param measured what was found, in words
 * @param passed whether it reaches the goal; a void run never does
 * @param rounds every run it rests on
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
