package gilmok.cache;

import static gilmok.cache.CacheRig.CONFIG;
import static gilmok.cache.CacheRig.value;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cache.SharedTier.Held;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three processes in one thread, whose shared tier is in memory. */
@Tag("server")
final class SharedTierTest {
  private final CacheRig.Clock clock = new CacheRig.Clock();
  private final MemoryShared shared = new MemoryShared(() -> clock.nanos, CONFIG);
  private final CacheRig a = new CacheRig(CONFIG, shared, clock);
  private final CacheRig b = new CacheRig(CONFIG, shared, clock);
  private final CacheRig c = new CacheRig(CONFIG, shared, clock);

  private int loads() {
    return a.loads + b.loads + c.loads;
  }

  /** Sets what every source returns from now on. */
  private void everybodyHas(String loaded) {
    for (CacheRig each : List.of(a, b, c)) {
      each.value = loaded;
    }
  }

  @Test
  void get_loadedByAnother_isTaken() {
    assertThat(a.get("k")).isEqualTo(value("ka"));
    clock.pass(Duration.ofSeconds(60));
    everybodyHas("b");
    assertThat(b.get("k")).isEqualTo(value("ka"));
    assertThat(b.metric("shared_hits_total")).isEqualTo(1);
    assertThat(a.metric("shared_misses_total")).isEqualTo(1);
    assertThat(loads()).isEqualTo(1);
    // It expires for both at about the same time, because the shared value carries its age.
    clock.pass(Duration.ofSeconds(60));
    int asked = shared.asked;
    assertThat(b.cache.now("k")).isEqualTo("ka");
    assertThat(b.metric("stale_total")).isEqualTo(1);
    assertThat(shared.asked).as("nobody is asked on hits").isEqualTo(asked);
  }

  @Test
  void now_oldForAll_isLoadedByOne() {
    for (CacheRig each : List.of(a, b, c)) {
      each.get("k");
    }
    everybodyHas("b");
    clock.pass(CONFIG.ttl());
    for (CacheRig each : List.of(a, b, c)) {
      assertThat(each.cache.now("k")).isEqualTo("ka");
    }
    // While a loads, another's call gets no lease; afterwards it finds the value.
    a.within = () -> assertThat(shared.ask("k", new Held(1, 0))).isEqualTo(new SharedTier.Taken());
    a.run();
    b.run();
    c.run();
    for (CacheRig each : List.of(a, b, c)) {
      assertThat(each.cache.now("k")).isEqualTo("kb");
    }
    assertThat(loads()).isEqualTo(2);
  }

  @Test
  void now_earlyForOne_isLoadedOnceForAll() {
    for (CacheRig each : List.of(a, b, c)) {
      each.get("k");
      each.chance = 1 - Math.exp(-2.01);
    }
    everybodyHas("b");
    clock.pass(CONFIG.ttl().minus(Duration.ofMillis(20)));
    for (CacheRig each : List.of(a, b, c)) {
      each.cache.now("k");
      each.run();
      assertThat(each.cache.now("k")).isEqualTo("kb");
    }
    assertThat(loads()).isEqualTo(2);
    assertThat(b.metric("loads_total")).isZero();
  }

  @Test
  void get_leaseTaken_waitsForTheValue() {
    CompletableFuture<LoadResult<String>> first = a.cache.get("k");
    CompletableFuture<LoadResult<String>> second = b.cache.get("k");
    b.value = null;
    // While a loads, b gets no lease; it pauses, and a has stored the value when it goes on.
    a.within = () -> assertThat(shared.ask("k", null)).isEqualTo(new SharedTier.Taken());
    long token = ((SharedTier.Leased) shared.ask("k", null)).token();
    b.resting =
        () -> {
          shared.release("k", token);
          a.begun.remove().run();
        };
    b.run();
    assertThat(first.join()).isEqualTo(value("ka"));
    assertThat(second.join()).isEqualTo(value("ka"));
    assertThat(loads()).isEqualTo(1);
    assertThat(b.metric("leases_taken_total")).isEqualTo(1);
  }

  @Test
  void get_whoLoadsDiesWithTheLease_anotherLoadsWhenItIsOver() {
    a.cache.get("k").cancel(true);
    assertThat(shared.ask("k", null)).isInstanceOf(SharedTier.Leased.class); // its holder dies
    long before = clock.nanos;
    assertThat(b.get("k")).isEqualTo(value("ka"));
    assertThat(clock.nanos - before).isGreaterThanOrEqualTo(CONFIG.leaseTimeout().toNanos());
    assertThat(loads()).isEqualTo(1);
    assertThat(b.metric("leases_taken_total")).isEqualTo(1);
  }

  @Test
  void get_leasePassesFromOneToAnother_isNotWaitedForForEver() {
    Runnable again =
        new Runnable() {
          @Override
          public void run() {
            shared.reset("k");
            b.resting = this;
          }
        };
    again.run();
    assertThat(b.get("k")).isEqualTo(value("ka"));
    assertThat(shared.has("k")).as("stored without a lease").isFalse();
  }

  @Test
  void get_sourceFails_theLeaseIsGivenBack() {
    a.value = null;
    assertThat(a.get("k")).isInstanceOf(LoadResult.Failed.class);
    assertThat(b.get("k")).isEqualTo(value("ka"));
    assertThat(b.metric("leases_taken_total")).isZero();
  }

  @Test
  void get_othersAway_isLoadedAlone() {
    shared.away.set(true);
    assertThat(a.get("k")).isEqualTo(value("ka"));
    assertThat(b.get("k")).isEqualTo(value("ka"));
    assertThat(loads()).isEqualTo(2);
    assertThat(a.metric("shared_faults_total")).isEqualTo(1);
  }

  @Test
  void now_othersHoldWhatIsOlder_isNotTaken() {
    shared.set("k", 99, 0, new Texts().encode("older"));
    clock.pass(Duration.ofMillis(1));
    shared.away.set(true);
    assertThat(a.get("k")).isEqualTo(value("ka"));
    clock.pass(CONFIG.ttl().minus(Duration.ofMillis(20)));
    shared.away.set(false);
    a.chance = 1 - Math.exp(-2.01);
    a.value = "b";
    assertThat(a.cache.now("k")).isEqualTo("ka");
    a.run();
    assertThat(a.cache.now("k")).isEqualTo("kb");
    assertThat(c.get("k")).isEqualTo(value("kb"));
  }

  @Test
  void get_nonsense_isReplaced() {
    for (String nonsense : List.of("x", "")) {
      String key = "k" + nonsense;
      shared.set(key, 99, 0, Texts.bytes(nonsense));
      assertThat(a.get(key)).isEqualTo(value(key + "a"));
      assertThat(b.get(key)).isEqualTo(value(key + "a"));
    }
    assertThat(loads()).isEqualTo(2);
  }

  @Test
  void forget_othersHoldAnOlderValue_isNotUndoneByIt() {
    b.get("k");
    assertThat(shared.has("k")).isTrue();
    everybodyHas("b");
    a.cache.forget("k");
    assertThat(shared.has("k")).as("nobody has told them yet").isTrue();
    CompletableFuture<LoadResult<String>> got = a.cache.get("k");
    a.begun.removeLast().run(); // the load, before the task that deletes the shared value
    assertThat(got.join()).isEqualTo(value("kb"));
    assertThat(c.get("k")).isEqualTo(value("kb"));
    a.run();
    assertThat(shared.has("k")).as("deleted a second time").isTrue();
    assertThat(loads()).isEqualTo(2);
  }

  @Test
  void forget_isToldTheOthersAtOnce() {
    b.get("k");
    a.cache.forget("k");
    a.run();
    assertThat(shared.has("k")).isFalse();
    assertThat(a.metric("tombstones")).isZero();
  }

  @Test
  void forget_othersAway_isNotUndoneWhenTheyAreBack() throws Exception {
    b.get("k");
    everybodyHas("b");
    shared.away.set(true);
    a.cache.forget("k");
    a.run();
    assertThat(a.metric("tombstones")).isEqualTo(1);
    shared.away.set(false);
    assertThat(shared.has("k")).isTrue();
    assertThat(a.get("k")).isEqualTo(value("kb"));
    assertThat(c.get("k")).isEqualTo(value("kb"));
    assertThat(a.metric("tombstones")).as("the others are not told").isEqualTo(1);
    assertThat(shared.told).isEmpty();
    clock.pass(Duration.ofSeconds(1));
    a.cache.notices().sendAgain();
    assertThat(shared.told).containsExactly("k");
    assertThat(shared.has("k")).as("what was loaded since").isTrue();
    assertThat(a.metric("tombstones")).isZero();
  }

  @Test
  void forget_tellsTheOthers_afterTheSharedValueIsDeleted() {
    b.get("k");
    shared.telling = () -> assertThat(shared.has("k")).isFalse();
    a.cache.forget("k");
    a.run();
    assertThat(shared.told).containsExactly("k");
    assertThat(a.metric("tombstones")).isZero();
  }

  @Test
  void drop_cutsAnOlderLoad_andAnswersNothingFromBefore() {
    b.get("k");
    c.get("k");
    everybodyHas("b");
    a.cache.forget("k");
    a.run();
    c.within = () -> c.cache.drop("other");
    c.value = "a";
    assertThat(c.get("other")).as("began before").isEqualTo(value("othera"));
    c.value = "b";
    assertThat(c.cache.now("other")).isNull();
    assertThat(b.cache.now("k")).as("not told yet").isEqualTo("ka");
    b.cache.drop("k");
    assertThat(b.cache.now("k")).isNull();
    assertThat(b.get("k")).isEqualTo(value("kb"));
    c.cache.dropAll();
    assertThat(c.cache.now("k")).isNull();
    assertThat(b.metric("dropped_total")).isEqualTo(1);
    assertThat(c.metric("dropped_all_total")).isEqualTo(1);
  }

  @Test
  void forget_moreThanThereIsRoomFor_tellsTheOthersToDropAll() throws Exception {
    shared.away.set(true);
    for (int i = 0; i <= Tombstones.MARKS_MAX; i++) {
      a.cache.forget("k" + i);
      a.run();
    }
    a.cache.notices().sendAgain();
    assertThat(shared.toldAll).isZero();
    shared.away.set(false);
    a.cache.notices().sendAgain();
    a.cache.notices().sendAgain();
    assertThat(shared.toldAll).isEqualTo(1);
  }

  @Test
  void forget_othersAwayForLong_isTrustedWhenAllFromBeforeIsOver() {
    b.get("k");
    everybodyHas("b");
    shared.away.set(true);
    a.cache.forget("k");
    a.run();
    clock.pass(CONFIG.ttl().plus(CONFIG.leaseTimeout()));
    shared.away.set(false);
    shared.set("k", 99, 0, new Texts().encode("kept"));
    assertThat(a.get("k")).as("not sure yet").isEqualTo(value("kb"));
    shared.away.set(true);
    a.cache.forget("k");
    a.run();
    clock.pass(CONFIG.ttl().plus(CONFIG.leaseTimeout()).plus(Duration.ofSeconds(5)));
    shared.away.set(false);
    shared.set("k", 99, 0, new Texts().encode("kept"));
    assertThat(a.get("k")).isEqualTo(value("kept"));
  }

  @Test
  void forget_slowLoadElsewhere_isNotStored() {
    b.within =
        () -> {
          everybodyHas("b");
          a.cache.forget("k");
          a.run();
        };
    assertThat(b.get("k")).as("began before").isEqualTo(value("ka"));
    assertThat(shared.has("k")).isFalse();
    assertThat(a.get("k")).isEqualTo(value("kb"));
    assertThat(c.get("k")).isEqualTo(value("kb"));
  }

  @Test
  void forget_underAnOwnSlowLoad_isNotStored() {
    a.within =
        () -> {
          a.value = "b";
          shared.away.set(true);
          a.cache.forget("k");
          a.begun.remove().run(); // the deletion, which does not reach the shared tier
          shared.away.set(false);
        };
    a.get("k");
    assertThat(shared.has("k")).isFalse();
    assertThat(a.get("k")).isEqualTo(value("kb"));
  }
}
