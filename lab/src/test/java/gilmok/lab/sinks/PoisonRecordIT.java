package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** One record that the destination never takes: it is set aside, and its neighbours arrive. */
@Tag("process")
class PoisonRecordIT {
  private static final String POISON = "arsenic";

  @TempDir private Path folder;

  @Test
  void onePoisoned_isQuarantinedWithItsOrigin_othersArriveOnce() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      rig.faults().poison(POISON);
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose,files");
      phone.send(server, 500, 100);
      int before = phone.receipts().size();
      assertThat(phone.post(server, phone.noted("a little " + POISON))).isEqualTo(202);
      String poisoned = phone.receipts().stream().skip(before).findFirst().orElseThrow();
      phone.send(server, 500, 100);
      LedgerClient account = rig.account(server);
      ShipRig.awaitShipped(account);

      LedgerClient.Row traces = ShipRig.row(account, "firehose", "traces");
      assertThat(traces.delivered()).isEqualTo(1_000);
      assertThat(traces.quarantined()).isEqualTo(1);
      assertThat(ShipRig.row(account, "files", "traces").delivered()).isEqualTo(1_001);
      Map<String, Integer> kept = rig.firehose().kept().timesById();
      assertThat(kept).doesNotContainKey(poisoned);
      for (String id : phone.receipts()) {
        if (!id.equals(poisoned)) {
          assertThat(kept).containsEntry(id, 1);
        }
      }
      JsonNode item = account.get("/v1/quarantine?sink=firehose").path("items").path(0);
      assertThat(item.path("sink").asString("")).isEqualTo("firehose");
      assertThat(item.path("origin").asString("")).isEqualTo(poisoned);
      assertThat(item.path("stream").asString("")).isEqualTo("traces");
      assertThat(item.path("reason").asString("")).isNotEmpty();
      assertThat(item.path("raw").asString("")).contains(POISON);
      assertThat(state(account, poisoned)).isEqualTo("quarantined");
      assertThat(state(account, phone.receipts().iterator().next())).isEqualTo("delivered");
    }
  }

  private static String state(LedgerClient account, String recordId) throws Exception {
    for (JsonNode sink : account.get("/v1/receipts/" + recordId).path("sinks")) {
      if (sink.path("sink").asString("").equals("firehose")) {
        return sink.path("state").asString("");
      }
    }
    return "unknown";
  }
}
