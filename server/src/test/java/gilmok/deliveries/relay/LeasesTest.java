package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryId;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How nodes share the shards. */
@Tag("unit")
class LeasesTest {
  private static final Duration LEASE = Duration.ofSeconds(60);
  private final Orders clock = new Orders(1);
  private final MemoryDocuments documents = new MemoryDocuments(clock);
  private final Leases a = new Leases(documents, "a", true, LEASE, clock);
  private final Leases b = new Leases(documents, "b", true, LEASE, clock);

  @Test
  void oneNode_hasAll_asLongAsItRenews() throws Exception {
    a.renew(_ -> true);
    assertThat(a.count()).isEqualTo(64);
    assertThat(a.mayTell(5, clock.millis(), Duration.ofSeconds(15))).isTrue();
    clock.pass(46_000);
    assertThat(a.mayTell(5, clock.millis(), Duration.ofSeconds(15))).isFalse();
    assertThat(a.holds(5, clock.millis())).isTrue();
    clock.pass(14_000);
    assertThat(a.count()).isZero();
    a.renew(_ -> true);
    assertThat(a.count()).isEqualTo(64);
  }

  @Test
  void clockWasAheadAndIsSetBack_isRenewedAllTheSame() throws Exception {
    a.renew(_ -> true);
    clock.pass(3_600_000);
    a.renew(_ -> true);
    assertThat(a.count()).isEqualTo(64);
    clock.pass(-3_600_000);
    a.renew(_ -> true);
    assertThat(a.count()).isEqualTo(64);
    clock.pass(50_000);
    a.renew(_ -> true);
    clock.pass(50_000);
    assertThat(a.count()).as("renewed since").isEqualTo(64);
  }

  @Test
  void secondNode_getsHalf_andAllWhenTheFirstHasGone() throws Exception {
    a.renew(_ -> true);
    for (int i = 0; i < 6; i++) {
      round(20_000, a, b);
      assertNoneTwice();
    }
    assertThat(a.count()).isEqualTo(32);
    assertThat(b.count()).isEqualTo(32);
    for (int i = 0; i < 6; i++) {
      round(20_000, b);
    }
    assertThat(b.count()).isEqualTo(64);
    round(20_000, a);
    assertThat(a.count()).as("too late").isZero();
    for (int i = 0; i < 6; i++) {
      round(20_000, a, b);
    }
    assertThat(a.count()).isEqualTo(32);
  }

  @Test
  void secondNode_getsAtOnceWhatTheFirstGivesBack() throws Exception {
    a.renew(_ -> true);
    a.releaseAll();
    assertThat(a.count()).isZero();
    b.renew(_ -> true);
    assertThat(b.count()).isEqualTo(64);
  }

  @Test
  void shardsInUse_areNotGivenAway() throws Exception {
    a.renew(_ -> true);
    for (int i = 0; i < 6; i++) {
      clock.pass(20_000);
      a.renew(_ -> false);
      b.renew(_ -> true);
    }
    assertThat(a.count()).isEqualTo(64);
    assertThat(b.count()).isZero();
  }

  @Test
  void shardsLostWhileInUse_areTakenAgainOnlyWhenNothingIsLeftOfThem() throws Exception {
    a.renew(_ -> true);
    clock.pass(60_000);
    b.renew(_ -> true);
    assertThat(b.count()).isEqualTo(64);
    b.releaseAll();
    clock.pass(20_000);
    a.renew(shard -> shard != 5);
    assertThat(a.count()).isEqualTo(63);
    assertThat(a.holds(5, clock.millis())).isFalse();
    clock.pass(20_000);
    a.renew(_ -> true);
    assertThat(a.count()).isEqualTo(64);
  }

  @Test
  void shardsInUseThatRanOut_areNotRenewedThoughNobodyHasThem() throws Exception {
    a.renew(_ -> true);
    clock.pass(60_000);
    a.renew(_ -> false);
    assertThat(a.count()).isZero();
    clock.pass(20_000);
    a.renew(_ -> true);
    assertThat(a.count()).isEqualTo(64);
  }

  @Test
  void manyNodes_haveAboutTheSame() throws Exception {
    List<Leases> all =
        IntStream.range(0, 5)
            .mapToObj(i -> new Leases(documents, "n" + i, true, LEASE, clock))
            .toList();
    for (int i = 0; i < 12; i++) {
      round(20_000, all.toArray(Leases[]::new));
    }
    assertThat(all).allMatch(one -> one.count() >= 12 && one.count() <= 13);
    assertThat(all.stream().mapToInt(Leases::count).sum()).isEqualTo(DeliveryId.SHARDS);
  }

  private void round(long millis, Leases... nodes) throws Exception {
    clock.pass(millis);
    for (Leases node : nodes) {
      node.renew(_ -> true);
    }
  }

  private void assertNoneTwice() {
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      long now = clock.millis();
      assertThat(a.holds(shard, now) && b.holds(shard, now)).isFalse();
    }
  }
}
