package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract, over MongoDB. */
@Tag("engine")
final class MongoPartnerStoreIT extends PartnerStoreContract {
  @Override
  StoreRig open(InstantSource clock) throws IOException, InterruptedException {
    return MongoRig.open(clock);
  }

  /** A field with a default may be missing: reading must not be stricter than writing was. */
  @Test
  void find_withoutWhatHasAUsualValue_isReadable() throws Exception {
    try (MongoRig rig = MongoRig.open(InstantSource.system())) {
      Partner told =
          new Partner("p", OutboxReader.SHOP, "https://p.example/", List.of("s"), List.of(), 7);
      rig.partners().put(told);
      for (String field : List.of("reader", "events", "updatedAt")) {
        rig.unset(OutboxReader.SHOP, "p", field);
      }
      assertThat(rig.partners().find(OutboxReader.SHOP, "p"))
          .isEqualTo(
              new Partner(
                  "p", OutboxReader.SHOP, "https://p.example/", List.of("s"), List.of(), 0));
    }
  }
}
