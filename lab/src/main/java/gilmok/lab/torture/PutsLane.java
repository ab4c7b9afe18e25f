package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.IOException;
import java.util.random.RandomGenerator;

/** The only client that changes missions and riders' progress. */
record PutsLane(Caller caller, Journal journal, RandomGenerator random) implements Lane {
  private static final int MISSIONS = 5;
  private static final String PROGRESS = "/progress";

  @Override
  public void turn() throws IOException, InterruptedException {
    String mission = "m" + random.nextInt(MISSIONS);
    String place = "/v1/missions/" + mission;
    Puts.Value value = journal.puts().all().get(place);
    boolean isThere = value != null && value.answered() > 0;
    if (isThere && random.nextInt(3) > 0) {
      int rider = random.nextInt(Entries.RIDERS);
      place = "/v1/riders/" + Entries.rider(rider) + "/missions/" + mission + PROGRESS;
    }
    put(caller, journal, place);
  }

  /** Puts the next number at a place; returns whether it was acknowledged. */
  static boolean put(Caller caller, Journal journal, String place)
      throws IOException, InterruptedException {
    int number = journal.puts().ask(place);
    String body =
        isProgress(place)
            ? "{\"count\":" + number + "}"
            : "{\"title\":\"Ten in the rain\",\"goal\":1000000000,\"number\":" + number + "}";
    Reply reply = caller.put(place, body);
    if (reply.status() == 200) {
      journal.puts().answered(place, number);
      return true;
    }
    if (reply.status() / 100 == 4 && reply.status() != 429) {
      journal.findings().add("a put at " + place + " was refused: " + reply);
    }
    return false;
  }

  static boolean isProgress(String place) {
    return place.endsWith(PROGRESS);
  }
}
