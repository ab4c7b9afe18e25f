package gilmok.cache;

import static gilmok.cache.CacheRig.CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One key that is asked for 5,000 times a second, in a time of the test's own. */
@Tag("server")
final class ExpiryTest {
  private static final Duration BETWEEN = Duration.ofNanos(200_000);
  private static final int EXPIRIES = 60;

  @Test
  void now_askedOftenByChance_isLoadedOnceForAnExpiryAndMostlyBeforeIt() {
    Random random = new Random(25);
    CacheRig rig = new CacheRig();
    rig.delta = Duration.ZERO; // the time passes outside, while others ask
    rig.within = () -> rig.clock.pass(Duration.ofMillis(5));
    rig.get("k");
    for (int expiry = 0; expiry < EXPIRIES; expiry++) {
      int loads = rig.loads;
      // Nothing happens before, as now_fresh_isAnsweredWithoutALoad shows.
      rig.clock.pass(CONFIG.ttl().minus(Duration.ofMillis(400)));
      while (rig.begun.isEmpty()) {
        ask(rig, random);
      }
      for (int i = 0; i < 25; i++) { // 5 ms of a load under way
        ask(rig, random);
      }
      assertThat(rig.begun).hasSize(1);
      // That it took 5 ms is what the cache's clock sees; those who asked meanwhile are above.
      rig.clock.nanos -= Duration.ofMillis(5).toNanos();
      rig.within = () -> rig.clock.pass(Duration.ofMillis(5));
      rig.run();
      for (int i = 0; i < 1000; i++) {
        ask(rig, random);
      }
      assertThat(rig.loads).isEqualTo(loads + 1);
    }
    assertThat(rig.metric("misses_total")).isEqualTo(1);
    // With 25 askers in a load's time, one is early by more than that in nearly all cases.
    assertThat(rig.metric("early_refreshes_total")).isGreaterThan(EXPIRIES * 0.9);
  }

  private static void ask(CacheRig rig, Random random) {
    rig.clock.pass(BETWEEN);
    rig.chance = random.nextDouble();
    assertThat(rig.cache.now("k")).isNotNull();
  }
}
