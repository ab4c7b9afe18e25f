package gilmok.collect.devices;

import gilmok.storage.FileDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept by a file of the data folder. */
@Tag("unit")
final class FileDevicesTest extends DevicesContract {
  @TempDir Path data;
  private Devices devices;

  @BeforeEach
  void open() throws Exception {
    devices =
        new FileDevices(config(), data, new FileDisk(), () -> Instant.ofEpochMilli(now.get()));
  }

  @Override
  Devices devices() {
    return devices;
  }

  @Override
  Devices reopened() throws Exception {
    devices.drain(Duration.ofSeconds(1));
    open();
    return devices;
  }
}
