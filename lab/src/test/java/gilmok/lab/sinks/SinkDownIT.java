package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sink that is down for long: phones do not notice, and the sink gets everything once it returns.
 */
@Tag("process")
class SinkDownIT {
  @TempDir private Path folder;

  @Test
  void firehoseDown_collectingAndFilesGoOn_allIsDeliveredOnceItReturns() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      rig.firehose().down();
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose,files");
      phone.send(server, 3_000, 50);
      LedgerClient account = rig.account(server);
      ShipRig.await("files", () -> account.sink("files").waiting() == 0);
      ShipRig.await("retrying", () -> account.sink("firehose").state().equals("retrying"));
      assertThat(account.sink("firehose").waiting()).isEqualTo(3_000);
      ShipRig.assertBalanced(account);

      assertThat(server.stop()).isIn(0, 143);
      Subject again = rig.serve("a", "firehose,files");
      phone.send(again, 2_000, 50);
      LedgerClient anew = rig.account(again);
      ShipRig.await("files", () -> anew.sink("files").waiting() == 0);
      assertThat(anew.sink("firehose").waiting()).isEqualTo(5_000);

      rig.firehose().up();
      ShipRig.awaitShipped(anew);
      assertThat(rig.firehose().kept().timesById())
          .as("each once: nobody had answered before")
          .allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1))
          .containsOnlyKeys(phone.receipts());
      assertThat(ShipRig.row(anew, "firehose", "traces").delivered()).isEqualTo(5_000);
      assertThat(Shipped.recordIds(rig.data("a")))
          .containsExactlyInAnyOrderElementsOf(phone.receipts());
      ShipRig.await("mended", () -> anew.sink("firehose").state().equals("running"));
    }
  }
}
