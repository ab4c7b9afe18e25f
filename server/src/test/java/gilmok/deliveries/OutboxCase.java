package gilmok.deliveries;

import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Told;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Empty stores of deliveries, whatever keeps them, and their outbox. */
abstract class OutboxCase {
  final Day day = new Day();
  StoreRig rig;
  DeliveryStore store;
  Outbox outbox;

  /** Empty stores that read this clock. */
  abstract StoreRig open(InstantSource clock) throws IOException, InterruptedException;

  @BeforeEach
  final void begin() throws IOException, InterruptedException {
    rig = open(day);
    store = rig.deliveries();
    outbox = rig.outbox();
  }

  @AfterEach
  final void end() throws IOException {
    rig.close();
  }

  final List<Due> due(OutboxReader reader) throws Exception {
    return outbox.due(reader, Shards.ALL, day.millis(), 1_000);
  }

  final void told(Delivery delivery, OutboxReader reader, int through) throws Exception {
    outbox.told(List.of(new Told(delivery.id(), reader, through)));
  }
}
