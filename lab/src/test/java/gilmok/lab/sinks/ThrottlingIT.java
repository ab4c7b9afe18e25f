package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import gilmok.lab.firehose.Count;
import gilmok.lab.firehose.Quotas;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The destination throttles: it gets less at a time, and everything in the end. */
@Tag("process")
class ThrottlingIT {
  @TempDir private Path folder;

  @Test
  void quotaBelowWhatComes_andCallsThrottled_eachIsDeliveredOnce() throws Exception {
    try (ShipRig rig = new ShipRig(folder, new Quotas(150, 400_000, 20))) {
      rig.faults().throttle(0.3);
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose");
      phone.send(server, 6_000, 100);
      LedgerClient account = rig.account(server);
      ShipRig.assertBalanced(account);
      ShipRig.awaitShipped(account);
      assertThat(rig.firehose().count(Count.CALLS_THROTTLED)).isPositive();
      assertThat(rig.firehose().kept().timesById())
          .allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1))
          .containsOnlyKeys(phone.receipts());
    }
  }
}
