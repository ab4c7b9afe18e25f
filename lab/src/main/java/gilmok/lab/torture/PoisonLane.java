package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.IOException;
import java.util.Locale;

/** A client that now and then sends a record which a sink may refuse for good. */
record PoisonLane(Caller caller, Journal journal) implements Lane {
  /** The text in such records. */
  static final String MARK = "poison-of-torture";

  @Override
  public void turn() throws IOException, InterruptedException {
    String id = journal.extras().poison();
    Reply reply =
        caller.post(
            "/v1/traces",
            String.format(
                Locale.ROOT,
                "{\"riderId\":\"poisoner\",\"at\":%d,\"lat\":37.5,\"lon\":127.5,\"id\":\"%s\","
                    + "\"attributes\":{\"note\":\"%s\"}}",
                journal.startMillis(),
                id,
                MARK));
    if (reply.status() == 202) {
      journal.extras().acknowledged(id);
    }
  }
}
