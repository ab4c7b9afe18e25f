package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryStore.Wish;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqlitePartnerWebhooksTest extends PartnerWebhooksContract {
  @TempDir Path folder;

  @Override
  StoreRig open(InstantSource clock) throws IOException {
    return new SqliteRig(folder, clock);
  }

  /** More than are changed in one step. */
  @Test
  void retryNow_ofMany() throws Exception {
    List<Delivery> all = IntStream.range(0, 1_200).mapToObj(_ -> day.delivery()).toList();
    store.create(all.subList(0, 1_000).stream().map(one -> new Wish(one, null)).toList());
    store.create(all.subList(1_000, 1_200).stream().map(one -> new Wish(one, null)).toList());
    for (Delivery one : all) {
      outbox.failed(one.id(), OutboxReader.SHOP, 1, day.millis() + 60_000, "no", null);
    }
    assertThat(outbox.webhooks().retryNow(OutboxReader.SHOP, Day.SHOP, day.millis()))
        .isEqualTo(1_200);
    assertThat(due(OutboxReader.SHOP)).hasSize(1_000);
  }
}
