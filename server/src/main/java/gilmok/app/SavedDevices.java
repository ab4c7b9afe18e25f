package gilmok.app;

import gilmok.collect.devices.Devices;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Saves at the end which commands have been sent, so that no phone is told them again. */
final class SavedDevices implements Drainable {
  private static final Logger LOG = System.getLogger("gilmok.devices");

  private final Devices devices;

  SavedDevices(Devices devices) {
    this.devices = devices;
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
      LOG.log(Level.WARNING, "some commands may be sent to phones again: {0}", failed.getMessage());
    }
  }
}
