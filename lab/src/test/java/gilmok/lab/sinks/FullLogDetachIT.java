package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The log is full while a sink is down, {@code log.when-full=detach}: collecting goes on, and what
 * the sink missed is counted.
 */
@Tag("process")
class FullLogDetachIT {
  @TempDir private Path folder;

  @Test
  void full_collectsOn_whatWasMissedIsSkipped_theRestArrives() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      rig.firehose().down();
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose", FullLog.settings("detach"));
      LedgerClient account = rig.account(server);
      for (int i = 0; i < FullLog.REQUESTS_MAX; i++) {
        String body = FullLog.body(phone);
        // The log makes room while it writes; a request that it refuses now and then is retried.
        ShipRig.await("taken", () -> phone.post(server, body) == 202);
      }
      ShipRig.assertBalanced(account);
      assertThat(ShipRig.row(account, "firehose", "traces").skipped()).isPositive();
      assertThat(account.sink("firehose").state()).isEqualTo("detached");

      rig.firehose().up();
      ShipRig.awaitShipped(account);
      LedgerClient.Row row = ShipRig.row(account, "firehose", "traces");
      assertThat(row.accepted()).isEqualTo(phone.receipts().size());
      assertThat(row.delivered() + row.skipped()).isEqualTo(row.accepted());
      Map<String, Integer> times = rig.firehose().kept().timesById();
      assertThat((long) times.size()).isEqualTo(row.delivered());
      assertThat(phone.receipts()).containsAll(times.keySet());
    }
  }
}
