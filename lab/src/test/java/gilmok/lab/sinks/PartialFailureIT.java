package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import gilmok.lab.firehose.Count;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of batches fail: everything is delivered, and what had succeeded is not sent again. */
@Tag("process")
class PartialFailureIT {
  private static final int ROUNDS = 8;
  private static final int POSITIONS_A_ROUND = 400;

  @TempDir private Path folder;

  @Test
  void packed_oneToFiftyPercentFail_eachIsDeliveredOnce() throws Exception {
    failAndDeliver("sinks.firehose.batch-records-max=300");
  }

  @Test
  void oneARecord_oneToFiftyPercentFail_eachIsDeliveredOnce() throws Exception {
    failAndDeliver("sinks.firehose.pack-bytes-max=0");
  }

  private void failAndDeliver(String setting) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (ShipRig rig = new ShipRig(folder)) {
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose", setting);
      LedgerClient account = rig.account(server);
      for (int round = 0; round < ROUNDS; round++) {
        rig.faults().failRecords(random.nextDouble(0.01, 0.5));
        phone.send(server, POSITIONS_A_ROUND, 100);
        ShipRig.assertBalanced(account);
      }
      ShipRig.awaitShipped(account);
      assertThat(rig.firehose().count(Count.RECORDS_FAILED)).isPositive();
      assertThat(rig.firehose().kept().timesById())
          .as("seed %d", seed)
          .allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1))
          .containsOnlyKeys(phone.receipts());
      assertThat(ShipRig.row(account, "firehose", "traces").delivered())
          .isEqualTo((long) ROUNDS * POSITIONS_A_ROUND);
    }
  }
}
