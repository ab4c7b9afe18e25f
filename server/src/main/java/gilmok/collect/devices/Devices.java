package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.observe.Meters;
import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All phones: ties, groups and waiting commands, kept in one file of the data folder, and what each
 * spoke last, in memory only. A change is on disk before {@link #change} returns; changes that come
 * together share one write. That a command has been sent is on disk with the next change or at
 * {@link #save}: after a crash it may be sent again.
 *
 * <p>Thread-safe. Asking and telling never block; changing does.
 */
public final class Devices implements Drainable {
  private static final Logger LOG = System.getLogger("gilmok.devices");

  /** How many friends one device sees. */
  static final int FRIENDS_MAX = 100;

  /** How exact it is known when a device was heard. */
  private static final long HEARD_MILLIS = 1000;

  private final DevicesConfig config;
  private final InstantSource clock;
  private final DevicesFile file;
  private final Map<String, Device> byId = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();
  private final ReentrantLock writing = new ReentrantLock();
  private volatile Map<String, List<String>> groups = Map.of();
  private long written;

  /**
   * The devices of a data folder.
   *
   * @throws IOException when the file cannot be read or is damaged; the message names it
   */
  public Devices(DevicesConfig config, Path data, Disk disk, InstantSource clock)
      throws IOException, InterruptedException {
    this.config = config;
    this.clock = clock;
    this.file = new DevicesFile(new Checkpoint(disk, data.resolve("devices")));
    file.makeIfMissing();
    for (Device device : file.read()) {
      byId.put(device.id(), device);
    }
    regroup();
  }

  /** Shows how much is known of phones. */
  public void watch(Meters meters) {
    meters.gauge("gilmok_devices", "Phones that something is known of.", this::size);
    meters.gauge("gilmok_devices_max", "The bound of gilmok_devices.", config::devicesMax);
  }

  @Override
  public String name() {
    return "devices";
  }

  /** Saves which commands have been sent, so that no phone is told them again. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    try {
      save();
    } catch (IOException failed) {
      LOG.log(
          Level.WARNING,
          "sent commands could not be saved as sent; phones may get some of them again: {0}",
          failed.getMessage());
    }
  }

  /** The rider that a device is of; the device itself when it is tied to none. */
  public String riderOf(String device) {
    Device known = byId.get(device);
    return known == null ? device : known.rider();
  }

  /** A device has spoken in that dialect. Beyond the bound, new ones are not remembered. */
  public void heard(String device, String dialect) {
    Device known = byId.get(device);
    long now = clock.millis();
    boolean isNews =
        known == null
            || !dialect.equals(known.dialect())
            || now - known.heardAtMillis() > HEARD_MILLIS;
    if (isNews && (known != null || byId.size() < config.devicesMax())) {
      byId.compute(
          device,
          (id, before) -> (before == null ? Device.unknown(id) : before).heard(dialect, now));
    }
  }

  /** The riders of a device's group but its own, at most {@link #FRIENDS_MAX}. */
  public List<String> friends(String device) {
    Device known = byId.get(device);
    if (known == null || known.group() == null) {
      return List.of();
    }
    List<String> riders = new ArrayList<>(groups.getOrDefault(known.group(), List.of()));
    riders.remove(known.rider());
    return riders.size() <= FRIENDS_MAX ? riders : riders.subList(0, FRIENDS_MAX);
  }

  /**
   * Takes commands that wait for a device; they count as sent. Those that its dialect cannot carry
   * are dropped, as are those that have waited too long.
   */
  public List<PhoneCommand> take(String device, int max, Predicate<PhoneCommand> canCarry) {
    Device known = byId.get(device);
    if (known == null || known.waiting().isEmpty()) {
      return List.of();
    }
    List<PhoneCommand> taken = new ArrayList<>();
    byId.computeIfPresent(
        device,
        (id, now) -> {
          List<Device.Waiting> left = new ArrayList<>();
          for (Device.Waiting waiting : fresh(now)) {
            if (taken.size() == max && canCarry.test(waiting.command())) {
              left.add(waiting);
            } else if (canCarry.test(waiting.command())) {
              taken.add(waiting.command());
            }
          }
          return now.waiting(left);
        });
    changes.incrementAndGet();
    return taken;
  }

  /** A device; null when nothing is known of it. */
  @Nullable Device find(String id) {
    Device known = byId.get(id);
    return known == null ? null : known.waiting(fresh(known));
  }

  /** How many devices are known. */
  public int size() {
    return byId.size();
  }

  /** Up to so many devices whose ids come after that one, in the order of their ids. */
  List<Device> list(String after, int limit) {
    return byId.values().stream()
        .filter(device -> device.id().compareTo(after) > 0)
        .sorted(Comparator.comparing(Device::id))
        .limit(limit)
        .toList();
  }

  /**
   * Changes a device; on disk on return.
   *
   * @param change is given the device, or one of which nothing is known
   * @return false when there are too many devices
   */
  boolean change(String id, UnaryOperator<Device> change) throws IOException, InterruptedException {
    if (!byId.containsKey(id) && byId.size() >= config.devicesMax()) {
      // What was only heard makes room: it is known again when it is heard again.
      byId.values().removeIf(device -> !device.isKept());
      if (byId.size() >= config.devicesMax()) {
        return false;
      }
    }
    @Nullable Device[] then = new Device[2];
    byId.compute(
        id,
        (key, known) -> {
          then[0] = known;
          then[1] = change.apply(known == null ? Device.unknown(key) : known);
          return then[1];
        });
    boolean isSaved = false;
    try {
      saveThrough(changes.incrementAndGet());
      isSaved = true;
    } finally {
      if (!isSaved) {
        // Whoever asked is refused and asks again: a command must not wait twice by then.
        byId.computeIfPresent(id, (key, now) -> now.equals(then[1]) ? then[0] : now);
      }
    }
    return true;
  }

  /** Writes what is not on disk yet. */
  public void save() throws IOException, InterruptedException {
    saveThrough(changes.get());
  }

  /** Whoever comes while another writes waits, and may find that the next write was for all. */
  private void saveThrough(long mine) throws IOException, InterruptedException {
    writing.lockInterruptibly();
    try {
      if (written < mine) {
        long through = changes.get();
        file.write(byId.values().stream().filter(Device::isKept).toList());
        regroup();
        written = through;
      }
    } finally {
      writing.unlock();
    }
  }

  private List<Device.Waiting> fresh(Device device) {
    long oldest = clock.millis() - config.commandKeep().toMillis();
    return device.waiting().stream().filter(one -> one.sinceMillis() >= oldest).toList();
  }

  private void regroup() {
    Map<String, Set<String>> now = new HashMap<>();
    for (Device device : byId.values()) {
      if (device.group() != null) {
        now.computeIfAbsent(device.group(), group -> new TreeSet<>()).add(device.rider());
      }
    }
    Map<String, List<String>> lists = new HashMap<>();
    now.forEach((group, riders) -> lists.put(group, List.copyOf(riders)));
    groups = lists;
  }
}
