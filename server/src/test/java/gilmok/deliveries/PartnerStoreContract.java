package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of partners and leases, whatever stores them. */
abstract class PartnerStoreContract {
  private static final long NOW = Day.BEGIN;

  private final Day day = new Day();
  private StoreRig rig;
  private PartnerStore store;

  /** Empty stores that read this clock. */
  abstract StoreRig open(InstantSource clock) throws IOException, InterruptedException;

  @BeforeEach
  final void begin() throws IOException, InterruptedException {
    rig = open(day);
    store = rig.partners();
  }

  @AfterEach
  final void end() throws IOException {
    rig.close();
  }

  @Test
  void put_new_isThere() throws Exception {
    Partner shop = partner("one", OutboxReader.SHOP, "https://example.com/a?b=c&d=\"e\"");
    store.put(shop);
    assertThat(store.find(OutboxReader.SHOP, "one")).isEqualTo(shop);
    assertThat(store.find(OutboxReader.AGENCY, "one")).isNull();
    assertThat(store.find(OutboxReader.SHOP, "two")).isNull();
    assertThat(store.all().partners()).containsExactly(shop);
  }

  @Test
  void put_again_changesIt() throws Exception {
    store.put(partner("one", OutboxReader.SHOP, "https://example.com/a"));
    Partner agency = partner("one", OutboxReader.AGENCY, "https://example.com/b");
    store.put(agency);
    Partner changed =
        new Partner(
            "one",
            OutboxReader.SHOP,
            "https://example.org/c",
            List.of("whsec_new"),
            List.of("delivery.created", "delivery.completed"),
            NOW + 5);
    store.put(changed);
    assertThat(store.find(OutboxReader.SHOP, "one")).isEqualTo(changed);
    assertThat(store.all().partners()).containsExactlyInAnyOrder(changed, agency);
  }

  @Test
  void all_ofNone_isEmpty() throws Exception {
    assertThat(store.all().partners()).isEmpty();
  }

  @Test
  void all_oneCannotBeRead_theOthersAreThere_andItIsNamedUntilItIsPutAgain() throws Exception {
    Partner sound = partner("sound", OutboxReader.SHOP, "https://example.com/a");
    Partner damaged = partner("damaged", OutboxReader.SHOP, "https://example.com/b");
    store.put(sound);
    store.put(damaged);
    rig.damage(OutboxReader.SHOP, "damaged");

    assertThat(store.all().partners()).containsExactly(sound);
    assertThat(store.all().unreadable())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.reader()).isEqualTo(OutboxReader.SHOP);
              assertThat(one.id()).isEqualTo("damaged");
            });
    assertThatThrownBy(() -> store.find(OutboxReader.SHOP, "damaged"))
        .isInstanceOf(UnreadablePartner.class)
        .hasMessageContaining("damaged");
    assertThat(store.find(OutboxReader.SHOP, "sound")).isEqualTo(sound);

    store.put(damaged);
    assertThat(store.all().unreadable()).isEmpty();
    assertThat(store.all().partners()).containsExactlyInAnyOrder(sound, damaged);
  }

  @Test
  void lease_isOneHoldersUntilItEnds() throws Exception {
    assertThat(store.lease(7, "a", NOW, NOW + 100)).isTrue();
    assertThat(store.lease(7, "b", NOW + 99, NOW + 199)).as("another's").isFalse();
    assertThat(store.lease(8, "b", NOW, NOW + 100)).as("another shard").isTrue();
    assertThat(store.lease(7, "a", NOW + 50, NOW + 150)).as("renewed").isTrue();
    assertThat(store.lease(7, "b", NOW + 149, NOW + 249)).as("still another's").isFalse();
    assertThat(store.lease(7, "b", NOW + 150, NOW + 250)).as("ended").isTrue();
    assertThat(store.lease(7, "a", NOW + 151, NOW + 251)).as("lost").isFalse();
  }

  @Test
  void lease_ofEveryShardAndSeat_canBeTaken() throws Exception {
    for (int number = 0; number < PartnerStore.LEASES; number++) {
      assertThat(store.lease(number, "a", NOW, NOW + 100)).as("" + number).isTrue();
    }
    assertThat(store.lease(PartnerStore.LEASES - 1, "b", NOW + 1, NOW + 101)).isFalse();
  }

  @Test
  void release_isForItsHolderOnly() throws Exception {
    assertThat(store.lease(0, "a", NOW, NOW + 100)).isTrue();
    store.release(0, "b");
    assertThat(store.lease(0, "b", NOW, NOW + 100)).isFalse();
    store.release(0, "a");
    store.release(1, "a");
    assertThat(store.lease(0, "b", NOW, NOW + 100)).isTrue();
  }

  @Test
  void lease_askedForByMany_isOnes() throws Exception {
    List<Callable<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String holder = "node-" + i;
      all.add(() -> store.lease(63, holder, NOW, NOW + 100));
    }
    int taken = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> one : threads.invokeAll(all)) {
        taken += one.get() ? 1 : 0;
      }
    }
    assertThat(taken).isOne();
  }

  private static Partner partner(String id, OutboxReader reader, String url) {
    return new Partner(id, reader, url, List.of("whsec_b", "whsec_a"), List.of("*"), NOW);
  }
}
