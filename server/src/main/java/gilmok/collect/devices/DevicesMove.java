package gilmok.collect.devices;

import gilmok.storage.Checkpoint;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices of a node's file on their way into the database that it has been given. What is in
 * the database stays as it is. The file is renamed once all are there, so a move that was
 * interrupted is made again as a whole: that brings nothing twice, unless a phone got its command
 * in between.
 *
 * <p>Not thread-safe: one thread at a time.
 */
final class DevicesMove {
  /** The file's name afterwards. */
  static final String MOVED = FileDevices.FILE + ".moved";

  private static final Logger LOG = System.getLogger("gilmok.devices");

  private final DevicesFile file;

  /** Those to be moved; null when there is no file, or no longer. */
  private @Nullable List<Device> left;

  /**
   * Reads the file, if there is one.
   *
   * @throws IOException when it cannot be read or is damaged; the message names it
   */
  DevicesMove(DevicesFile file) throws IOException {
    this.file = file;
    left = file.file().isThere() ? file.read() : null;
  }

  /** Takes a rider's devices out of the file that was moved, if it is still there. */
  void forget(String rider) throws IOException, InterruptedException {
    Checkpoint aside = new Checkpoint(file.file().disk(), file.file().path().resolveSibling(MOVED));
    DevicesFile moved = new DevicesFile(aside);
    List<Device> before = moved.read();
    List<Device> after = before.stream().filter(one -> !one.rider().equals(rider)).toList();
    if (after.size() < before.size()) {
      moved.write(after);
    }
  }

  /** Moves the devices, unless that is done. */
  void run(DeviceStore store, long nowMillis) throws IOException, InterruptedException {
    List<Device> all = left;
    if (all == null) {
      return;
    }
    int stayed = 0;
    for (int from = 0; from < all.size(); from += DeviceStore.PAGE_MAX) {
      List<Device> some = all.subList(from, Math.min(from + DeviceStore.PAGE_MAX, all.size()));
      for (DeviceStore.Restored one : store.restore(some, nowMillis)) {
        stayed += one.wasThere() ? 1 : 0;
      }
    }
    file.moveAside(MOVED);
    left = null;
    LOG.log(
        Level.INFO,
        "{0} phones of {1}, with their riders, groups and waiting commands, were brought into the"
            + " database; {2} more were there already and stay; the file is called {3} now",
        all.size() - stayed,
        file.file().path(),
        stayed,
        MOVED);
  }
}
