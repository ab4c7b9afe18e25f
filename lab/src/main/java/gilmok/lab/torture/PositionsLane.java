package gilmok.lab.torture;

import gilmok.lab.Reply;
import gilmok.lab.crash.Letter;
import java.io.IOException;
import java.util.random.RandomGenerator;

/**
 * Phones: a client that sends one record or many in a request, sometimes with acknowledged ones.
 */
record PositionsLane(Caller caller, Journal journal, RandomGenerator random) implements Lane {
  private static final int MANY_MAX = 60;

  @Override
  public void turn() throws IOException, InterruptedException {
    send(caller, journal, Letter.chosen(journal.book(), random, 4, MANY_MAX));
  }

  /** Sends a letter once; returns whether it was accepted. */
  static boolean send(Caller caller, Journal journal, Letter letter)
      throws IOException, InterruptedException {
    Reply reply = caller.post("/v1/" + letter.stream(), letter.body());
    if (reply.status() == 202) {
      journal.book().answered(letter, reply.json());
      return true;
    }
    if (reply.status() / 100 == 4 && reply.status() != 429) {
      journal.findings().add("good records were refused: " + reply);
    }
    return false;
  }
}
