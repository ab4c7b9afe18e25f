package gilmok.cache;

import static gilmok.cache.CacheRig.CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One key that is read 5,000 times a second, by the test's own clock. */
@Tag("server")
final class ExpiryTest {
  private static final Duration BETWEEN = Duration.ofNanos(200_000);
  private static final int EXPIRIES = 60;

  @Test
  void now_askedOftenByChance_isLoadedOnceForAnExpiryAndMostlyBeforeIt() {
    Random random = new Random(25);
    CacheRig rig = new CacheRig();
    rig.delta = Duration.ZERO; // the clock is moved below, with reads in between
    rig.within = () -> rig.clock.pass(Duration.ofMillis(5));
    rig.get("k");
    for (int expiry = 0; expiry < EXPIRIES; expiry++) {
      int loads = rig.loads;
      // A fresh value causes no load before, as now_fresh_isAnsweredWithoutALoad shows.
      rig.clock.pass(CONFIG.ttl().minus(Duration.ofMillis(400)));
      while (rig.begun.isEmpty()) {
        ask(rig, random);
      }
      for (int i = 0; i < 25; i++) { // the 5 ms that the load takes
        ask(rig, random);
      }
      assertThat(rig.begun).hasSize(1);
      // Turns the clock back, as the load moves it by 5 ms; the reads of these 5 ms are above.
      rig.clock.nanos -= Duration.ofMillis(5).toNanos();
      rig.within = () -> rig.clock.pass(Duration.ofMillis(5));
      rig.run();
      for (int i = 0; i < 1000; i++) {
        ask(rig, random);
      }
      assertThat(rig.loads).isEqualTo(loads + 1);
    }
    assertThat(rig.metric("misses_total")).isEqualTo(1);
    // With 25 reads in a load's time, one of them refreshes before the expiry in nearly all cases.
    assertThat(rig.metric("early_refreshes_total")).isGreaterThan(EXPIRIES * 0.9);
  }

  private static void ask(CacheRig rig, Random random) {
    rig.clock.pass(BETWEEN);
    rig.chance = random.nextDouble();
    assertThat(rig.cache.now("k")).isNotNull();
  }
}
