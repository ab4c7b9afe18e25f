package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import gilmok.lab.firehose.Count;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A destination whose answers hang for 30 s: phones do not notice, and nothing is lost or wrongly
 * counted as delivered.
 */
@Tag("process")
class HangingAnswersIT {
  private static final Duration HANG = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void manyHang_sendIsGivenUp_allIsDelivered() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      rig.faults().hang(0.4, HANG);
      Phone phone = rig.phone();
      Subject server =
          rig.serve(
              "a",
              "firehose",
              "sinks.firehose.send-timeout=500ms",
              "sinks.firehose.batch-records-max=50");
      phone.send(server, 2_000, 50);
      LedgerClient account = rig.account(server);
      ShipRig.awaitShipped(account);
      assertThat(rig.firehose().count(Count.CALLS_HUNG)).isPositive();
      assertThat(rig.firehose().kept().timesById())
          .as("at least once: of a hanging call nobody knows whether it was kept")
          .containsOnlyKeys(phone.receipts());
      assertThat(rig.firehose().kept().dedupKeys()).hasSize(2_000);
    }
  }

  @Test
  void allHang_collectingGoesOn_theLateAnswerCounts() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      rig.faults().hang(1, HANG);
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose,files", "sinks.firehose.send-timeout=1min");
      phone.send(server, 200, 50);
      LedgerClient account = rig.account(server);
      ShipRig.await("hanging", () -> rig.firehose().count(Count.CALLS_HUNG) > 0);
      phone.send(server, 1_000, 50);
      ShipRig.await("files", () -> account.sink("files").waiting() == 0);
      assertThat(account.sink("firehose").waiting())
          .as("kept or not, it is not delivered before the answer")
          .isEqualTo(1_200);
      ShipRig.assertBalanced(account);
      rig.faults().none();
      rig.firehose().answerLate();
      ShipRig.awaitShipped(account);
      assertThat(rig.firehose().kept().timesById())
          .as("who waited for the answer need not repeat what was kept")
          .allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1))
          .containsOnlyKeys(phone.receipts());
    }
  }
}
