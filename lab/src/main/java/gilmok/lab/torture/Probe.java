package gilmok.lab.torture;

import java.io.IOException;

/**
 * One kind of request that has to be answered again after a fault. Of one thread.
 *
 * @param name what it asks, in a word
 */
record Probe(String name, Question question) {
  /** Asks once. */
  @FunctionalInterface
  interface Question {
    /**
     * What is wrong with the answer; empty when nothing is.
     *
     * @throws IOException when there was none
     */
    String ask() throws IOException, InterruptedException;
  }

  /**
   * Asks until it is answered well, or that moment; what was wrong last, empty when all is well.
   */
  String await(long deadlineNanos) throws InterruptedException {
    String last = "nothing";
    do {
      try {
        String answer = question.ask();
        if (answer.isEmpty()) {
          return System.nanoTime() > deadlineNanos ? "answered too late; before, " + last : "";
        }
        last = answer;
      } catch (IOException none) {
        last = "no answer: " + none;
      }
      Thread.sleep(100);
    } while (System.nanoTime() < deadlineNanos);
    return last;
  }
}
