package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.IOException;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/** A client that makes keys and revokes some of them. */
record KeysLane(Caller caller, Journal journal, RandomGenerator random) implements Lane {
  private static final int GOOD_MAX = 12;

  @Override
  public void turn() throws IOException, InterruptedException {
    MadeKeys keys = journal.keys();
    if (keys.good().size() >= GOOD_MAX || (!keys.good().isEmpty() && random.nextInt(4) == 0)) {
      MadeKeys.Made oldest = keys.takeOldest();
      if (caller.delete("/v1/keys/" + oldest.id()).isGood()) {
        keys.revoked(oldest);
      }
      return;
    }
    Reply reply =
        caller.post("/v1/keys", "{\"name\":\"" + keys.name() + "\",\"scopes\":[\"read\"]}");
    if (reply.status() == 201) {
      JsonNode made = reply.json();
      keys.made(new MadeKeys.Made(made.path("id").asString(""), made.path("key").asString("")));
    }
  }
}
