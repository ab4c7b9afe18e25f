package gilmok.deliveries;

import java.io.IOException;
import java.time.InstantSource;

/** The contract, over MongoDB. */
final class MongoRiderActionIT extends RiderActionContract {
  @Override
  StoreRig open(InstantSource clock) throws IOException, InterruptedException {
    return MongoRig.open(clock);
  }
}
