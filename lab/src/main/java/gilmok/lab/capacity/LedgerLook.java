package gilmok.lab.capacity;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * The server's own account of records. Immutable.
 *
 * @param stored records of phones and deliveries that became durable, since the server's first
 *     start
 * @param residue what the ledger cannot account for
 */
record LedgerLook(long stored, long residue) {
  private static final int LOOKS = 100;

  /** The present state; zeros of a server that has no ledger. */
  static LedgerLook of(CapacityTarget target) throws IOException, InterruptedException {
    if (!target.isOurs()) {
      return new LedgerLook(0, 0);
    }
    JsonNode ledger = target.client().json("/v1/ledger");
    long stored = 0;
    for (JsonNode stream : ledger.path("streams")) {
      String name = stream.path("stream").asString("");
      boolean isOfLoad = !name.equals("quarantine") && !name.equals("audit");
      stored += isOfLoad ? stream.path("accepted").asLong(0) : 0;
    }
    return new LedgerLook(stored, ledger.path("residue").asLong(0));
  }

  /** The same, once at least so much was stored; events of deliveries are stored a moment later. */
  static LedgerLook after(CapacityTarget target, long expected)
      throws IOException, InterruptedException {
    LedgerLook look = of(target);
    for (int i = 0; i < LOOKS && (look.stored < expected || look.residue != 0); i++) {
      TimeUnit.MILLISECONDS.sleep(200);
      look = of(target);
    }
    return look;
  }
}
