package gilmok.lab.torture;

import java.io.IOException;

/**
 * A client that sends requests to the server all the time, one turn after the other. Used by one
 * thread.
 */
@FunctionalInterface
interface Lane {
  /**
   * Sends one request or a few, and records the responses.
   *
   * @throws IOException when there was no response, as is expected during faults
   */
  void turn() throws IOException, InterruptedException;
}
