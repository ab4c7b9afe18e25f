package gilmok.deliveries;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class SqliteRemovalTest extends DeliveryRemovalContract {
  @TempDir Path folder;

  @Override
  StoreRig open(InstantSource clock) throws IOException {
    return new SqliteRig(folder, clock);
  }
}
