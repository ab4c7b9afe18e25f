package gilmok.lab.torture;

import java.io.IOException;

/**
 * A kind of request that must succeed again after a fault. Used by one thread.
 *
 * @param name a word for it
 */
record Probe(String name, Question question) {
  /** Sends the request. */
  @FunctionalInterface
  interface Question {
    /**
     * Sends the request once.
     *
     * @return what is wrong with the response; empty if nothing is
     * @throws IOException when there was no response
     */
    String ask() throws IOException, InterruptedException;
  }

  /**
   * Repeats the request until it succeeds or the deadline has passed; returns the last error, empty
   * after success.
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
