package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.deliveries.DeliveryStore.Creation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteDeliveryStoreTest extends DeliveryStoreContract {
  private static final String HASH = "c".repeat(64);

  @TempDir Path folder;

  @Override
  StoreRig open(InstantSource clock) throws IOException {
    return new SqliteRig(folder, clock);
  }

  @Test
  void create_aListThatFails_leavesNothing_notInMemoryEither() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (SqliteRig rig = new SqliteRig(other, day)) {
      Delivery first = day.delivery();
      Delivery sameId =
          Lifecycle.create(first.id(), day.delivery().order(), "key:k1", day.millis());
      assertThatThrownBy(() -> rig.deliveries().create(List.of(Day.wish(first), Day.wish(sameId))))
          .isInstanceOf(IOException.class);
      assertThat(rig.deliveries().move(first.id(), day.move(Step.ACCEPT)))
          .isEqualTo(new DeliveryStore.Moving.Unknown());
    }
  }

  @Test
  void create_keysOfMoreThanADayAgo_areForgottenWhileOthersCome() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    try (SqliteRig rig = new SqliteRig(other, day)) {
      Delivery first = day.delivery();
      rig.deliveries().create(List.of(Day.wish(first, "old", HASH)));
      day.pass(SqliteIdempotency.KEPT_MILLIS + 1);
      List<DeliveryStore.Wish> more = new ArrayList<>();
      for (int i = 0; i < SqliteIdempotency.STEP; i++) {
        more.add(Day.wish(day.delivery(), "new-" + i, HASH));
      }
      assertThat(rig.deliveries().create(more)).hasOnlyElementsOfType(Creation.Created.class);
      assertThat(rig.deliveries().create(List.of(Day.wish(day.of(first.order()), "old", HASH))))
          .as("the key is forgotten, the order is not")
          .containsExactly(new Creation.OrderTaken(first.id()));
      assertThat(rig.deliveries().create(List.of(more.getFirst())))
          .containsExactly(new Creation.Repeated(more.getFirst().first()));
    }
  }
}
