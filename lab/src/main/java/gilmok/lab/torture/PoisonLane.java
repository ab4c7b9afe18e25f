package gilmok.lab.torture;

import gilmok.lab.Reply;
import java.io.IOException;
import java.util.Locale;

/** Now and then a record that a sink may refuse for good. */
final class PoisonLane implements Lane {
  /** What stands in such records. */
  static final String MARK = "poison-of-torture";

  private final Caller caller;
  private final Extras extras;
  private final long atMillis;

  PoisonLane(Caller caller, Journal journal) {
    this.caller = caller;
    this.extras = journal.extras();
    this.atMillis = journal.startMillis();
  }

  @Override
  public void turn() throws IOException, InterruptedException {
    String id = extras.poison();
    Reply reply =
        caller.post(
            "/v1/traces",
            String.format(
                Locale.ROOT,
                "{\"riderId\":\"poisoner\",\"at\":%d,\"lat\":37.5,\"lon\":127.5,\"id\":\"%s\","
                    + "\"attributes\":{\"note\":\"%s\"}}",
                atMillis,
                id,
                MARK));
    if (reply.status() == 202) {
      extras.acknowledged(id);
    }
  }
}
