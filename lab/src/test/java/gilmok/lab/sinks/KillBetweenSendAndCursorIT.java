package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import gilmok.lab.firehose.Kept;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 after the destination has taken records and before the cursor is saved: they are sent
 * again under the same ids, and nothing is missing.
 */
@Tag("process")
class KillBetweenSendAndCursorIT {
  @TempDir private Path folder;

  @Test
  void killedBeforeTheCursorIsSaved_repeatsCarryTheSameIds() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      Phone phone = rig.phone();
      Subject server = rig.serve("a", "firehose,files", "sinks.save-interval=1min");
      phone.send(server, 1_000, 50);
      ShipRig.await("all sent", () -> rig.firehose().kept().size() >= 1_000);
      server.kill();

      Subject again = rig.serve("a", "firehose,files");
      phone.send(again, 100, 50);
      ShipRig.awaitShipped(rig.account(again));
      Map<String, Integer> times = rig.firehose().kept().timesById();
      assertThat(times).containsOnlyKeys(phone.receipts());
      assertThat(times.values().stream().filter(count -> count == 2).count())
          .as("the cursor had not been saved, so the kill was in time")
          .isPositive();
      assertThat(times.values()).allMatch(count -> count <= 2);
      assertOneKeyEach(rig.firehose().kept(), 1_100);
      assertThat(Shipped.recordIds(rig.data("a"))).containsAll(phone.receipts());
    }
  }

  @Test
  void killedAgainAndAgain_whileAnswersAreOnTheirWay_nothingIsMissing() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      rig.faults().delay(Duration.ofMillis(30)).loseAnswers(0.1).failRecords(0.1);
      Phone phone = rig.phone();
      for (int life = 0; life < 3; life++) {
        Subject server = rig.serve("a", "firehose");
        ShipRig.assertBalanced(rig.account(server));
        int wanted = rig.firehose().kept().size() + 300;
        AtomicReference<Exception> failed = new AtomicReference<>();
        Thread sending = Thread.ofVirtual().start(() -> sendUntilKilled(phone, server, failed));
        ShipRig.await("some sent", () -> rig.firehose().kept().size() > wanted);
        server.kill();
        assertThat(sending.join(ShipRig.WAIT)).isTrue();
        assertThat(failed.get()).isNull();
      }
      rig.faults().none();
      Subject server = rig.serve("a", "firehose");
      LedgerClient account = rig.account(server);
      ShipRig.awaitShipped(account);
      Map<String, Integer> times = rig.firehose().kept().timesById();
      assertThat(times.keySet()).containsAll(phone.receipts());
      assertOneKeyEach(rig.firehose().kept(), times.size());
      assertThat((long) times.size())
          .as("what was accepted, answered or not")
          .isEqualTo(ShipRig.row(account, "firehose", "traces").accepted());
    }
  }

  private static void sendUntilKilled(
      Phone phone, Subject server, AtomicReference<Exception> failed) {
    try {
      while (server.alive()) {
        if (phone.post(server, phone.positions(20)) != 202) {
          failed.set(new IllegalStateException("refused"));
        }
      }
    } catch (IOException killed) {
      // Only the ledger knows whether the last request was accepted.
    } catch (InterruptedException stopped) {
      failed.set(stopped);
    }
  }

  /**
   * Asserts that all arrivals of a record have the same dedup key, and that no other record has it.
   */
  private static void assertOneKeyEach(Kept kept, int records) {
    Map<String, String> keys = new HashMap<>();
    for (int i = 0; i < kept.size(); i++) {
      String known = keys.putIfAbsent(kept.recordId(i), kept.dedupKey(i));
      assertThat(known).isIn(null, kept.dedupKey(i));
    }
    assertThat(keys).hasSize(records);
    assertThat(kept.dedupKeys()).hasSize(records);
  }
}
