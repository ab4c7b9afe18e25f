package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.RiderAlias;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteDeliveryErasureTest extends DeliveryErasureContract {
  @TempDir Path folder;

  @Override
  StoreRig open(InstantSource clock) throws IOException {
    return new SqliteRig(folder, clock);
  }

  @Test
  void oneThatCannotBeRead_isCleanedToo() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    SqliteRig own = (SqliteRig) rig;
    String damage = own.own("UPDATE deliveries SET document = ? WHERE id = '" + first.id() + "'");
    own.database().update(damage, "{\"riderId\":\"rider-1\",".getBytes(StandardCharsets.UTF_8));
    own.forget();
    assertThat(rig.rename(new RiderAlias(Day.RIDER, "p-abc"))).isOne();
    String read = own.own("SELECT document, rider_id FROM deliveries WHERE rider_id = 'p-abc'");
    String document =
        own.database().first(row -> new String(row.getBytes(1), StandardCharsets.UTF_8), read);
    assertThat(document).isEqualTo("{\"riderId\":\"p-abc\",");
  }
}
