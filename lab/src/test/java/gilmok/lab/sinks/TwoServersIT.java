package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import gilmok.lab.firehose.Kept;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers, and a phone that does not get the first one's answer and retries on the other. Both
 * ship the records, under ids of their own and one dedup key, and readers drop the repeat.
 */
@Tag("process")
class TwoServersIT {
  @TempDir private Path folder;

  @Test
  void phoneRetriesOnTheOther_readersDropTheRepeatsByTheirKey() throws Exception {
    try (ShipRig rig = new ShipRig(folder)) {
      Phone phone = rig.phone();
      Subject first = rig.serve("a", "firehose");
      Subject second = rig.serve("b", "firehose");
      List<String> bodies = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        bodies.add(phone.positions(50));
        assertThat(phone.post(first, bodies.get(i))).isEqualTo(202);
      }
      // The phone acts as if unanswered: the server dies, perhaps before shipping the records.
      first.kill();
      for (String body : bodies) {
        assertThat(phone.post(second, body)).isEqualTo(202);
      }
      phone.send(second, 100, 50);
      Subject back = rig.serve("a", "firehose");
      phone.send(back, 100, 50);
      ShipRig.awaitShipped(rig.account(back));
      ShipRig.awaitShipped(rig.account(second));

      Kept kept = rig.firehose().kept();
      assertThat(kept.timesById()).containsOnlyKeys(phone.receipts()).hasSize(1_200);
      Set<String> read = new HashSet<>();
      int dropped = 0;
      for (int i = 0; i < kept.size(); i++) {
        dropped += read.add(kept.dedupKey(i)) ? 0 : 1;
      }
      assertThat(read).as("each position once").hasSize(phone.made());
      assertThat(dropped).isGreaterThanOrEqualTo(500);
    }
  }
}
