package gilmok.collect.devices;

import gilmok.observe.Meters;
import gilmok.storage.Disk;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/** Saves at the end which commands have been sent, so that no phone is told them again. */
public final class SavedDevices implements Drainable {
  private static final Logger LOG = System.getLogger("gilmok.devices");

  private final Devices devices;

  public SavedDevices(Devices devices) {
    this.devices = devices;
  }

  /** Opens what is known of phones, and shows how much that is. */
  public static Devices open(
      DevicesConfig config, Path data, Disk disk, InstantSource clock, Meters meters)
      throws IOException, InterruptedException {
    Devices devices = Devices.open(config, data, disk, clock);
    meters.gauge("gilmok_devices", "Phones that something is known of.", devices::size);
    meters.gauge("gilmok_devices_max", "The bound of gilmok_devices.", config::devicesMax);
    return devices;
  }

  @Override
  public String name() {
    return "devices";
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    try {
      devices.save();
    } catch (IOException failed) {
      LOG.log(
          Level.WARNING,
          "sent commands could not be saved as sent; phones may get some of them again: {0}",
          failed.getMessage());
    }
  }
}
