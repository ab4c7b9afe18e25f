package gilmok.lab.torture;

import java.io.IOException;

/** One of those who ask a server all the time: what one turn of it is. Of one thread. */
@FunctionalInterface
interface Lane {
  /**
   * Asks once, or a few times, and writes the answers down.
   *
   * @throws IOException when there was no answer, which is to be expected in a storm
   */
  void turn() throws IOException, InterruptedException;
}
