package gilmok.deliveries;

import gilmok.auth.Sha256;
import gilmok.transfer.Dataset;
import gilmok.transfer.DatasetPage;
import gilmok.transfer.ReadBatch;
import gilmok.transfer.RecordBatch;
import gilmok.transfer.StoredTally;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.InstantSource;

/**
 * All deliveries, each with its events. Those that are brought are told to nobody, and become no
 * entries of statements: these are brought by themselves. Thread-safe.
 */
record DeliveryDataset(DeliveryStore store, String currency, InstantSource clock)
    implements Dataset {
  /** Deliveries with their events are larger than other records. */
  private static final int PAGE_MAX = 500;

  @Override
  public String name() {
    return "deliveries";
  }

  @Override
  public DatasetPage page(String cursor, int limit) throws IOException, InterruptedException {
    int most = Math.min(limit, PAGE_MAX);
    return DatasetPage.of(store.after(cursor, most + 1), most, DeliveryJson::whole, Delivery::id);
  }

  @Override
  public RecordBatch batch(String keyId) {
    MessageDigest sha256 = Sha256.digest();
    String author = "key:" + keyId;
    return new ReadBatch<Delivery>(
        (document, value, fields) ->
            new PastDelivery(document, fields, sha256, author, currency, clock).read(value),
        past -> StoredTally.of(past, store.restore(past), DeliveryJson::whole, Delivery::id));
  }
}
