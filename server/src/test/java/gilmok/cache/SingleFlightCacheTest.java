package gilmok.cache;

import static gilmok.cache.CacheRig.CONFIG;
import static gilmok.cache.CacheRig.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One cache without a shared tier, in one thread. */
@Tag("server")
final class SingleFlightCacheTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  private final CacheRig rig = new CacheRig();

  @Test
  void get_nothingKept_isLoadedOnceForAll() {
    List<CompletableFuture<LoadResult<String>>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(rig.cache.get("k"));
    }
    assertThat(all).noneMatch(CompletableFuture::isDone);
    assertThat(rig.metric("waiting")).isEqualTo(3);
    assertThat(rig.metric("loading")).isEqualTo(1);
    rig.run();
    assertThat(all).allMatch(one -> one.join().equals(value("ka")));
    assertThat(rig.loads).isEqualTo(1);
    assertThat(rig.metric("misses_total")).isEqualTo(4);
    assertThat(rig.metric("waits_total")).isEqualTo(3);
    assertThat(rig.metric("loads_total")).isEqualTo(1);
    assertThat(rig.metric("load_seconds_count")).isEqualTo(1);
    assertThat(rig.metric("waiting")).isZero();
    assertThat(rig.metric("loading")).isZero();
    assertThat(rig.metric("entries")).isEqualTo(1);
    assertThat(rig.metric("bytes")).isEqualTo(CacheEntry.size("k", 4));
    assertThat(rig.metric("bytes_max")).isEqualTo((double) CONFIG.bytesMax());
  }

  @Test
  void get_oneWaiterGivesUp_othersAreAnswered() {
    CompletableFuture<LoadResult<String>> first = rig.cache.get("k");
    CompletableFuture<LoadResult<String>> second = rig.cache.get("k");
    assertThat(first.cancel(true)).isTrue();
    rig.run();
    assertThat(second.join()).isEqualTo(value("ka"));
  }

  @Test
  void now_fresh_isAnsweredWithoutALoad() {
    assertThat(rig.cache.now("k")).isNull();
    assertThat(rig.get("k")).isEqualTo(value("ka"));
    rig.clock.pass(CONFIG.ttl().minus(rig.delta.multipliedBy(38)));
    rig.chance = Math.nextDown(1.0); // the draw that refreshes earliest
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    assertThat(rig.cache.get("k").join()).isEqualTo(value("ka"));
    assertThat(rig.begun).isEmpty();
    assertThat(rig.metric("hits_total")).isEqualTo(2);
    assertThat(rig.metric("stale_total")).isZero();
  }

  @Test
  void now_early_isRefreshedOnceInTheBackground() {
    rig.get("k");
    rig.value = "b";
    rig.clock.pass(CONFIG.ttl().minus(Duration.ofMillis(20)));
    rig.chance = 1 - Math.exp(-1.99); // 19.9 ms early with a delta of 10 ms
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    assertThat(rig.begun).isEmpty();
    rig.chance = 1 - Math.exp(-2.01);
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    assertThat(rig.begun).hasSize(1);
    rig.run();
    assertThat(rig.cache.now("k")).isEqualTo("kb");
    assertThat(rig.begun).isEmpty();
    assertThat(rig.loads).isEqualTo(2);
    assertThat(rig.metric("early_refreshes_total")).isEqualTo(1);
    assertThat(rig.metric("stale_total")).isZero();
  }

  /** Between the decision to refresh and the refresh, another caller has refreshed the entry. */
  @Test
  void now_earlyForAnEntryThatIsNoMore_isNotRefreshedAgain() {
    rig.get("k");
    rig.clock.pass(CONFIG.ttl().minus(Duration.ofMillis(20)));
    rig.chance = 1 - Math.exp(-2.01);
    rig.drawing =
        () -> {
          assertThat(rig.cache.now("k")).isEqualTo("ka");
          rig.run();
        };
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    assertThat(rig.begun).isEmpty();
    assertThat(rig.loads).isEqualTo(2);
  }

  @Test
  void now_old_isAnsweredAndRefreshedOnce() {
    rig.get("k");
    rig.value = "b";
    rig.clock.pass(CONFIG.ttl());
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    assertThat(rig.cache.get("k").join()).isEqualTo(value("ka"));
    assertThat(rig.begun).hasSize(1);
    rig.run();
    assertThat(rig.cache.now("k")).isEqualTo("kb");
    assertThat(rig.loads).isEqualTo(2);
    assertThat(rig.metric("stale_total")).isEqualTo(2);
    assertThat(rig.metric("early_refreshes_total")).isZero();
  }

  @Test
  void get_olderThanStaleMax_waits() {
    rig.get("k");
    rig.value = "b";
    rig.clock.pass(CONFIG.ttl().plus(CONFIG.staleMax()).minusNanos(1));
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    rig.begun.clear(); // that refresh never runs, so the next get waits for it
    rig.clock.pass(Duration.ofNanos(1));
    assertThat(rig.cache.now("k")).isNull();
    assertThat(rig.cache.get("k")).isNotDone();
    CacheRig other = new CacheRig();
    other.get("k");
    other.value = "b";
    other.clock.pass(CONFIG.ttl().plus(CONFIG.staleMax()));
    assertThat(other.get("k")).isEqualTo(value("kb"));
  }

  @Test
  void get_sourceFails_oldValueIsAnsweredOnAndTheSourceLeftAlone() {
    rig.get("k");
    rig.clock.pass(CONFIG.ttl());
    rig.value = null;
    Duration passed = Duration.ZERO;
    int asked = 0;
    while (passed.compareTo(CONFIG.staleIfError()) < 0) {
      long before = rig.clock.nanos;
      assertThat(rig.get("k")).as(passed.toString()).isEqualTo(value("ka"));
      rig.clock.pass(MILLI.multipliedBy(100));
      passed = passed.plusNanos(rig.clock.nanos - before);
      asked++;
    }
    // Back-offs are half of 250 ms, doubled up to 15 s: chance is 0 here.
    assertThat(rig.loads - 1).isBetween(450, 520);
    assertThat(rig.metric("stale_total")).isGreaterThanOrEqualTo(asked);
    assertThat(rig.metric("load_failures_total")).isEqualTo(rig.loads - 1);
    rig.clock.pass(Duration.ofSeconds(20));
    assertThat(rig.get("k")).isInstanceOf(LoadResult.Failed.class);
    rig.value = "b";
    rig.clock.pass(Duration.ofSeconds(20));
    assertThat(rig.get("k")).isEqualTo(value("kb"));
  }

  @Test
  void get_sourceFailsLongAfter_waitsForItAndAnswersTheOldValue() {
    rig.get("k");
    rig.clock.pass(CONFIG.ttl().plus(CONFIG.staleMax()).plus(Duration.ofMinutes(5)));
    rig.value = null;
    assertThat(rig.cache.now("k")).isNull();
    assertThat(rig.get("k")).isEqualTo(value("ka"));
    assertThat(rig.cache.now("k")).isEqualTo("ka");
    assertThat(rig.metric("stale_total")).isEqualTo(2);
  }

  @Test
  void now_earlyRefreshFails_takesNothingAway() {
    rig.get("k");
    rig.clock.pass(CONFIG.ttl().minus(Duration.ofMillis(20)));
    rig.chance = 1 - Math.exp(-2.01);
    rig.value = null;
    rig.cache.now("k");
    rig.run();
    rig.cache.now("k");
    assertThat(rig.begun).as("left alone").isEmpty();
    rig.clock.pass(CONFIG.staleMax());
    assertThat(rig.cache.now("k")).isEqualTo("ka");
  }

  @Test
  void get_sourceFailsAndNothingKept_isFailedForAShortWhile() {
    rig.value = null;
    CompletableFuture<LoadResult<String>> first = rig.cache.get("k");
    CompletableFuture<LoadResult<String>> second = rig.cache.get("k");
    rig.run();
    assertThat(first.join()).isInstanceOf(LoadResult.Failed.class).isEqualTo(second.join());
    rig.value = "b";
    assertThat(rig.cache.get("k").join()).isEqualTo(first.join());
    rig.clock.pass(Duration.ofMillis(124));
    assertThat(rig.get("k")).isEqualTo(first.join());
    assertThat(rig.loads).isEqualTo(1);
    rig.clock.pass(MILLI);
    assertThat(rig.get("k")).isEqualTo(value("kb"));
    assertThat(rig.loads).isEqualTo(2);
  }

  @Test
  void get_sourceHasABug_isFailed() {
    rig.bug = new IllegalStateException("as told");
    assertThat(rig.get("k"))
        .isInstanceOfSatisfying(
            LoadResult.Failed.class, failed -> assertThat(failed.cause()).hasCause(rig.bug));
    assertThat(rig.metric("loading")).isZero();
  }

  @Test
  void get_codecHasABug_isFailed() {
    rig.value = Texts.UNWEIGHABLE;
    assertThat(rig.get("")).isInstanceOf(LoadResult.Failed.class);
    assertThat(rig.metric("loading")).isZero();
  }

  @Test
  void get_noThread_isFailed() {
    rig.refuses = true;
    assertThat(rig.cache.get("k").join()).isInstanceOf(LoadResult.Failed.class);
    rig.refuses = false;
    rig.clock.pass(Duration.ofSeconds(1));
    assertThat(rig.get("k")).isEqualTo(value("ka"));
    assertThat(rig.metric("loading")).isZero();
  }

  @Test
  void get_noMemoryForAThread_isFailed_andItsPlaceIsFree() {
    rig.refuses = true;
    rig.error = new OutOfMemoryError("as told");
    for (int i = 0; i < 2 * CONFIG.loadsMax(); i++) {
      assertThat(rig.cache.get("k" + i).join()).isInstanceOf(LoadResult.Failed.class);
    }
    assertThat(rig.metric("loading")).isZero();
  }

  @Test
  void get_loadThatThrowsAnError_isABug_andItsPlaceIsFree() {
    rig.error = new StackOverflowError("as told");
    for (int i = 0; i < 2 * CONFIG.loadsMax(); i++) {
      assertThat(rig.get("k" + i))
          .isInstanceOfSatisfying(
              LoadResult.Failed.class,
              failed -> assertThat(failed.cause()).isInstanceOf(LoadFailure.class));
    }
    assertThat(rig.metric("loading")).isZero();
  }

  @Test
  void get_moreLoadsThanMayBe_isBusy() {
    for (int i = 0; i < CONFIG.loadsMax(); i++) {
      assertThat(rig.cache.get("k" + i)).isNotDone();
    }
    assertThat(rig.cache.get("more").join()).isEqualTo(new LoadResult.Busy<String>());
    assertThat(rig.metric("busy_total")).isEqualTo(1);
    assertThat(rig.metric("loading")).isEqualTo(rig.metric("loading_max"));
    rig.run();
    assertThat(rig.get("more")).isEqualTo(value("morea"));
  }

  @Test
  void get_moreWaitersThanMayBe_isBusy() {
    CompletableFuture<LoadResult<String>> first = rig.cache.get("k");
    for (int i = 0; i < CONFIG.waitersMax(); i++) {
      assertThat(rig.cache.get("k")).isNotDone();
    }
    assertThat(rig.cache.get("k").join()).isEqualTo(new LoadResult.Busy<String>());
    rig.run();
    assertThat(first.join()).isEqualTo(value("ka"));
    assertThat(rig.metric("waiting")).isZero();
  }

  @Test
  void now_refreshOverTheBound_isLeftOut() {
    rig.get("old");
    rig.clock.pass(CONFIG.ttl());
    for (int i = 0; i < CONFIG.loadsMax(); i++) {
      boolean _ = rig.cache.get("k" + i).isDone();
    }
    assertThat(rig.cache.now("old")).isEqualTo("olda");
    assertThat(rig.begun).hasSize(CONFIG.loadsMax());
    assertThat(rig.metric("refreshes_skipped_total")).isEqualTo(1);
    rig.run();
    assertThat(rig.cache.now("old")).isEqualTo("olda");
    assertThat(rig.begun).hasSize(1);
  }

  @Test
  void forget_underALoad_cutsItOff() {
    CompletableFuture<LoadResult<String>> before = rig.cache.get("k");
    List<CompletableFuture<LoadResult<String>>> after = new ArrayList<>();
    rig.within =
        () -> {
          rig.value = "b";
          rig.cache.forget("k");
          assertThat(rig.cache.now("k")).isNull();
          after.add(rig.cache.get("k"));
        };
    rig.begun.remove().run();
    assertThat(before.join()).isEqualTo(value("ka"));
    assertThat(rig.cache.now("k")).as("kept of what was cut off").isNull();
    assertThat(after.getFirst()).isNotDone();
    rig.run();
    assertThat(after.getFirst().join()).isEqualTo(value("kb"));
    assertThat(rig.cache.now("k")).isEqualTo("kb");
    assertThat(rig.loads).isEqualTo(2);
    assertThat(rig.metric("waiting")).isZero();
    assertThat(rig.metric("loading")).isZero();
    assertThat(rig.metric("forgotten_total")).isEqualTo(1);
  }

  @Test
  void forget_underARefresh_cutsItOff() {
    rig.get("k");
    rig.clock.pass(CONFIG.ttl());
    rig.cache.now("k");
    rig.within =
        () -> {
          rig.value = "b";
          rig.cache.forget("k");
        };
    rig.run();
    assertThat(rig.cache.now("k")).isNull();
    assertThat(rig.get("k")).isEqualTo(value("kb"));
  }

  @Test
  void forget_underALoadThatFails_keepsNothingOfTheFailure() {
    rig.value = null;
    CompletableFuture<LoadResult<String>> before = rig.cache.get("k");
    rig.within =
        () -> {
          rig.value = "b";
          rig.cache.forget("k");
        };
    rig.run();
    assertThat(before.join()).isInstanceOf(LoadResult.Failed.class);
    assertThat(rig.get("k")).isEqualTo(value("kb"));
  }

  @Test
  void get_moreThanThereIsRoomFor_isBounded() {
    for (int i = 0; i < 10_000; i++) {
      rig.get("k" + i);
      rig.clock.pass(MILLI);
    }
    assertThat(rig.metric("bytes")).isBetween(CONFIG.bytesMax() * 0.9, (double) CONFIG.bytesMax());
    assertThat(rig.metric("entries")).isLessThan(CONFIG.bytesMax() / 256.0);
  }

  @Test
  void get_valueLargerThanAll_isAnsweredAndNotKept() {
    rig.value = "x".repeat((int) CONFIG.bytesMax());
    assertThat(rig.get("k")).isEqualTo(value("k" + rig.value));
    assertThat(rig.cache.now("k")).isNull();
  }
}
