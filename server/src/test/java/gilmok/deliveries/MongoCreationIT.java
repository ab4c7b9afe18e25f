package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Idempotency;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A creation with a key is two writes. Whatever happens between them, the delivery is created once.
 */
@Tag("engine")
final class MongoCreationIT {
  private static final String HASH = "a".repeat(64);

  private final Day day = new Day();
  private MongoRig rig;

  @BeforeEach
  void open() throws Exception {
    rig = MongoRig.open(day);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void endedBetweenTheWrites_repeatMakesWhatWasClaimed() throws Exception {
    Delivery first = day.delivery();
    assertThat(create(first)).isEqualTo(new Creation.Created(first));
    rig.database().getCollection("deliveries").deleteOne(new Document("_id", first.id()));

    day.pass(5_000);
    assertThat(create(day.of(first.order())))
        .as("with the id and the time of the first")
        .isEqualTo(new Creation.Created(first));
    assertThat(create(day.of(first.order()))).isEqualTo(new Creation.Repeated(first));
    assertThat(rig.database().getCollection("deliveries").countDocuments()).isEqualTo(1);
  }

  @Test
  void endedBetweenTheWrites_anotherBodyIsRefused() throws Exception {
    Delivery first = day.delivery();
    create(first);
    rig.database().getCollection("deliveries").deleteOne(new Document("_id", first.id()));

    assertThat(rig.deliveries().create(List.of(Day.wish(day.delivery(), "key", "b".repeat(64)))))
        .containsExactly(new Creation.KeyReused());
    assertThat(rig.database().getCollection("deliveries").countDocuments()).isZero();
  }

  @Test
  void endedBeforeTheClaimWasTakenBack_repeatIsAnsweredTheSame() throws Exception {
    Delivery taken = day.created(rig.deliveries(), day.delivery());
    Delivery second = day.of(taken.order());
    String key = MongoClaim.key(new Idempotency("key:k1", "key", HASH));
    rig.database()
        .getCollection("claims")
        .insertOne(
            new Document("_id", key)
                .append("bodyHash", HASH)
                .append("deliveryId", second.id())
                .append("at", day.instant()));
    assertThat(create(day.of(taken.order()))).isEqualTo(new Creation.OrderTaken(taken.id()));
  }

  @Test
  void sameKeyByManyAtOnce_oneIsMadeAndAllAreToldOfIt() throws Exception {
    DeliveryOrder order = Day.order("wanted", Day.SHOP, null);
    List<Callable<Creation>> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Delivery mine = day.of(order);
      all.add(() -> create(mine));
    }
    List<String> ids = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Creation> one : threads.invokeAll(all)) {
        switch (one.get()) {
          case Creation.Created(Delivery delivery) -> ids.add(delivery.id());
          case Creation.Repeated(Delivery delivery) -> ids.add(delivery.id());
          case Creation other -> throw new AssertionError(other);
        }
      }
    }
    assertThat(ids).hasSize(12).containsOnly(ids.getFirst());
    assertThat(rig.database().getCollection("deliveries").countDocuments()).isEqualTo(1);
  }

  private Creation create(Delivery first) throws Exception {
    return rig.deliveries().create(List.of(Day.wish(first, "key", HASH))).getFirst();
  }
}
