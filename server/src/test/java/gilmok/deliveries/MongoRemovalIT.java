package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, over MongoDB. */
@Tag("engine")
final class MongoRemovalIT extends DeliveryRemovalContract {
  @Override
  StoreRig open(InstantSource clock) throws IOException, InterruptedException {
    return MongoRig.open(clock);
  }

  @Test
  void oneNodeAtATime_untilItsLeaseEnds() throws Exception {
    long now = day.millis();
    assertThat(rig.removal().plans().lead("n1", now, now + 60_000)).isTrue();
    assertThat(rig.removal().plans().lead("n2", now + 59_999, now + 120_000)).isFalse();
    assertThat(rig.removal().plans().lead("n1", now + 20_000, now + 80_000)).as("renewed").isTrue();
    assertThat(rig.removal().plans().lead("n2", now + 79_999, now + 140_000)).isFalse();
    assertThat(rig.removal().plans().lead("n2", now + 80_000, now + 140_000)).isTrue();
  }
}
