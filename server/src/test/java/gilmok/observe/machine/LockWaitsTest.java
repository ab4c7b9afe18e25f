package gilmok.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters.Totals;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("unit")
@Timeout(60)
final class LockWaitsTest {
  private final Object lock = new Object();

  @Test
  void totals_aThreadThatIsBlocked_isCounted_alsoAfterItsEnd() throws Exception {
    LockWaits waits = new LockWaits();
    assertThat(waits.isMeasured()).isTrue();
    Totals before = waits.totals();
    Thread blocked =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  synchronized (lock) {
                    LockSupport.parkNanos(1);
                  }
                  while (!Thread.currentThread().isInterrupted()) {
                    LockSupport.park();
                  }
                });
    synchronized (lock) {
      blocked.start();
      while (blocked.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      LockSupport.parkNanos(20_000_000);
    }
    while (waits.totals().sum() < before.sum() + 0.01) {
      Thread.onSpinWait();
    }
    Totals after = waits.totals();
    assertThat(after.count()).isGreaterThan(before.count());

    blocked.interrupt();
    blocked.join();
    assertThat(waits.totals().sum()).isGreaterThanOrEqualTo(after.sum());
    assertThat(waits.totals().count()).isGreaterThanOrEqualTo(after.count());
  }
}
