package gilmok.lab.torture;

import gilmok.lab.Reply;
import gilmok.lab.crash.Book;
import gilmok.lab.crash.Entry;
import gilmok.lab.crash.Letter;
import java.io.IOException;
import java.util.List;
import java.util.random.RandomGenerator;

/** Phones: one record a request or many, now and then what has been answered before. */
record PositionsLane(Caller caller, Journal journal, RandomGenerator random) implements Lane {
  private static final int MANY_MAX = 60;
  private static final int KNOWN_MAX = 10;

  @Override
  public void turn() throws IOException, InterruptedException {
    send(caller, journal, letter());
  }

  private Letter letter() {
    Book book = journal.book();
    String stream = random.nextInt(4) == 0 ? "actions" : "traces";
    int dice = random.nextInt(10);
    List<Entry> known =
        dice >= 8 ? book.acknowledged(stream, 1 + random.nextInt(KNOWN_MAX), random) : List.of();
    if (dice == 9 && !known.isEmpty()) {
      return Letter.of(List.of(), known);
    }
    return Letter.of(book.fresh(stream, dice < 5 ? 1 : 2 + random.nextInt(MANY_MAX)), known);
  }

  /** Sends a letter once; whether it was taken. */
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
