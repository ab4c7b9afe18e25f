package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One slow sink beside fast ones, which must not wait for it. */
@Tag("process")
class SlowBesideFastIT {
  @TempDir private Path folder;

  @Test
  void slowFirehose_filesAndRedisAreDone_beforeItIs() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      Subject redis = rig.redis();
      rig.faults().delay(Duration.ofSeconds(1));
      Phone phone = rig.phone();
      Subject server =
          rig.serve(
              "a",
              "firehose,files,redis",
              "redis.url=redis://127.0.0.1:" + redis.port(),
              "sinks.firehose.max-concurrency=1",
              "sinks.firehose.batch-records-max=10");
      phone.send(server, 4_000, 100);
      LedgerClient account = rig.account(server);
      ShipRig.await("files", () -> account.sink("files").waiting() == 0);
      ShipRig.await("redis", () -> account.sink("redis").waiting() == 0);
      assertThat(account.sink("firehose").waiting()).as("400 calls of a second each").isPositive();
      ShipRig.assertBalanced(account);
      rig.faults().none();
      ShipRig.awaitShipped(account);

      assertThat(rig.firehose().kept().timesById())
          .allSatisfy((id, times) -> assertThat(times).as(id).isEqualTo(1))
          .containsOnlyKeys(phone.receipts());
      assertThat(Shipped.recordIds(rig.data("a")))
          .containsExactlyInAnyOrderElementsOf(phone.receipts());
      try (RedisClient client = RedisClient.create("redis://127.0.0.1:" + redis.port());
          StatefulRedisConnection<String, String> connection = client.connect()) {
        assertThat(connection.sync().xlen("gilmok:positions")).isEqualTo(4_000);
        assertThat(connection.sync().hlen("gilmok:{b0}:positions")).isEqualTo(50);
      }
    }
  }
}
