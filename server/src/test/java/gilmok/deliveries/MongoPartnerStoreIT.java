package gilmok.deliveries;

import java.io.IOException;
import java.time.InstantSource;

/** The contract, over MongoDB. */
final class MongoPartnerStoreIT extends PartnerStoreContract {
  @Override
  StoreRig open(InstantSource clock) throws IOException, InterruptedException {
    return MongoRig.open(clock);
  }
}
