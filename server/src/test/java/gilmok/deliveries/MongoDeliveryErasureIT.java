package gilmok.deliveries;

import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;

/** The contract, over MongoDB. */
@Tag("engine")
final class MongoDeliveryErasureIT extends DeliveryErasureContract {
  @Override
  StoreRig open(InstantSource clock) throws IOException, InterruptedException {
    return MongoRig.open(clock);
  }
}
