package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/** A client that posts what riders earned. */
record EntriesLane(Caller caller, Journal journal, RandomGenerator random) implements Lane {
  private static final int MANY_MAX = 40;

  @Override
  public void turn() throws IOException, InterruptedException {
    post(
        caller,
        journal,
        journal.entries().fresh(1 + random.nextInt(MANY_MAX), journal.startMillis()));
  }

  /** Posts entries once; those without a response are to be posted again. */
  static boolean post(Caller caller, Journal journal, List<Entries.Item> items)
      throws IOException, InterruptedException {
    boolean isTaken = false;
    try {
      Reply reply = caller.post("/v1/statement-entries", "[" + Entries.json(items) + "]");
      isTaken = reply.status() == 200;
      if (isTaken && reply.json().has("differing")) {
        journal.findings().add("entries are kept otherwise than they were posted: " + reply);
      }
      if (reply.status() / 100 == 4 && reply.status() != 429) {
        journal.findings().add("good entries were refused: " + reply);
      }
    } finally {
      if (isTaken) {
        journal.entries().taken(items);
      } else {
        journal.entries().unanswered(items);
      }
    }
    return isTaken;
  }
}
