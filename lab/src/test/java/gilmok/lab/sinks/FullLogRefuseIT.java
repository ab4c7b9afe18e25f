package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log is full while a sink is down, {@code log.when-full=refuse}: phones are told to wait. */
@Tag("process")
class FullLogRefuseIT {
  @TempDir private Path folder;

  @Test
  void full_refuses_untilTheSinkReturns_nothingIsSkipped() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      rig.firehose().down();
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose", FullLog.settings("refuse"));
      String refused = FullLog.fill(phone, server);
      LedgerClient account = rig.account(server);
      ShipRig.assertBalanced(account);
      assertThat(account.sink("firehose").waiting()).isEqualTo(phone.receipts().size());

      rig.firehose().up();
      ShipRig.await("room again", () -> phone.post(server, refused) == 202);
      phone.send(server, 1_000, 100);
      ShipRig.awaitShipped(account);
      assertThat(ShipRig.row(account, "firehose", "traces").skipped()).isZero();
      assertThat(rig.firehose().kept().timesById())
          .allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1))
          .containsOnlyKeys(phone.receipts());
    }
  }
}
