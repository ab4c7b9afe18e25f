package gilmok.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A signal wakes once for each time it was armed, and nothing is missed between two looks. */
@Tag("unit")
@Timeout(60)
final class WakeSignalTest {
  private final AtomicInteger wakes = new AtomicInteger();
  private final WakeSignal signal = new WakeSignal(wakes::incrementAndGet);

  @Test
  void fire_wakesOnceForEachArming() {
    signal.fire();
    assertThat(wakes).hasValue(0);
    signal.arm();
    signal.fire();
    signal.fire();
    assertThat(wakes).hasValue(1);
    assertThat(signal.isArmed()).isFalse();
    signal.arm();
    signal.disarm();
    signal.fire();
    assertThat(wakes).hasValue(1);
  }

  @Test
  void all_areFired() {
    WakeSignals both = new WakeSignals();
    WakeSignal other = new WakeSignal(() -> wakes.addAndGet(100));
    both.add(signal);
    both.add(other);
    other.arm();
    both.fire();
    assertThat(wakes).hasValue(100);
    signal.arm();
    other.arm();
    both.fire();
    assertThat(wakes).hasValue(201);
  }

  /** A sleeper that arms, looks, and sleeps without an end sees everything that is made. */
  @Test
  void sleeper_thatIsOnlyWoken_seesEverything() throws Exception {
    int count = 200_000;
    AtomicLong made = new AtomicLong();
    BackgroundLoop[] self = new BackgroundLoop[1];
    WakeSignal more = new WakeSignal(() -> self[0].wake());
    AtomicLong seen = new AtomicLong();
    BackgroundLoops loops = new BackgroundLoops(_ -> {}, Duration.ofDays(1));
    self[0] =
        loops.optional(
            "sleeper",
            "nothing is seen",
            () -> {
              seen.set(made.get());
              more.arm();
              if (made.get() > seen.get()) {
                more.disarm();
                return 0;
              }
              return Long.MAX_VALUE;
            });
    self[0].start();
    for (int i = 1; i <= count; i++) {
      made.set(i);
      more.fire();
      if (i % 100 == 0) {
        while (seen.get() < i) {
          Thread.onSpinWait();
        }
      }
    }
    self[0].stop(Duration.ofSeconds(10));
    assertThat(seen).hasValue(count);
  }
}
