package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.event.HiddenKey;
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
 * All phones. Their ties, groups and waiting commands are in one file of the data folder; what each
 * spoke last is in memory only. A change is durable before {@link #change} returns, and concurrent
 * changes share one write. That a command was sent becomes durable with the next change, or by
 * {@link #save}: after a crash it may be sent again.
 *
 * <p>Thread-safe. Look-ups, {@link #heard} and {@link #take} never block; changing and saving do.
 */
public final class Devices implements Drainable {
  private static final Logger LOG = System.getLogger("gilmok.devices");

  /** The most friends that one device sees. */
  static final int FRIENDS_MAX = 100;

  /** The precision of the time at which a device was heard. */
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
   * Reads the devices of a data folder.
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

  /** Shows the number of devices and its limit in the metrics. */
  public void watch(Meters meters) {
    meters.gauge("gilmok_devices", "Known phones.", this::size);
    meters.gauge("gilmok_devices_max", "The bound of gilmok_devices.", config::devicesMax);
  }

  @Override
  public String name() {
    return "devices";
  }

  /** Saves which commands have been sent, so that no phone gets them again. */
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

  /** The rider of a device; the device's own id when it is tied to none. */
  public String riderOf(String device) {
    Device known = byId.get(device);
    return known == null ? device : known.rider();
  }

  /**
   * Notes that a device has spoken in a dialect. Over the limit, new devices are not remembered.
   */
  public void heard(String device, String dialect) {
    Device known = byId.get(device);
    long now = clock.millis();
    boolean isNews =
        known == null
            || !dialect.equals(known.dialect())
            || now - known.heardAtMillis() > HEARD_MILLIS;
    boolean isRoom = byId.size() < config.devicesMax();
    // A key that was pasted in place of an id is not listed: others could read it.
    if (isNews && (known != null || (isRoom && !HiddenKey.isIn(device)))) {
      byId.compute(
          device,
          (id, before) -> (before == null ? Device.unknown(id) : before).heard(dialect, now));
    }
  }

  /** The riders of a device's group without its own, at most {@link #FRIENDS_MAX}. */
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
   * Takes up to {@code max} of the commands that wait for a device, and counts them as sent.
   * Commands that its dialect cannot carry are dropped, as are those that have waited too long.
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
          Device fresh = fresh(now);
          List<Device.Waiting> left = new ArrayList<>();
          List<Device.Ended> ended = new ArrayList<>();
          for (Device.Waiting waiting : fresh.waiting()) {
            if (!canCarry.test(waiting.command())) {
              ended.add(ended(waiting, Device.End.DROPPED));
            } else if (taken.size() == max) {
              left.add(waiting);
            } else {
              taken.add(waiting.command());
              ended.add(ended(waiting, Device.End.SENT));
            }
          }
          return fresh.waiting(left, ended);
        });
    changes.incrementAndGet();
    return taken;
  }

  /** A device; null when it is not known. */
  @Nullable Device find(String id) {
    Device known = byId.get(id);
    return known == null ? null : fresh(known);
  }

  /** How many devices are known. */
  public int size() {
    return byId.size();
  }

  /**
   * The devices whose ids follow {@code after}, in the order of their ids, up to {@code limit}.
   *
   * @param rider only those of this rider; null for all
   */
  List<Device> list(String after, @Nullable String rider, int limit) {
    return byId.values().stream()
        .filter(device -> device.id().compareTo(after) > 0)
        .filter(device -> rider == null || device.rider().equals(rider))
        .sorted(Comparator.comparing(Device::id))
        .limit(limit)
        .map(this::fresh)
        .toList();
  }

  /** The devices that are tied to a rider and whose ids follow {@code after}, by id. */
  List<Device> tied(String after, int limit) {
    return byId.values().stream()
        .filter(device -> device.riderId() != null && device.id().compareTo(after) > 0)
        .sorted(Comparator.comparing(Device::id))
        .limit(limit)
        .toList();
  }

  /** Ties a device as that one is; durable after {@link #save}. False if there are too many. */
  boolean tie(Device as) {
    if (!hasRoomFor(as.id())) {
      return false;
    }
    byId.compute(
        as.id(),
        (id, known) -> (known == null ? Device.unknown(id) : known).tied(as.riderId(), as.group()));
    changes.incrementAndGet();
    return true;
  }

  private boolean hasRoomFor(String id) {
    if (!byId.containsKey(id) && byId.size() >= config.devicesMax()) {
      // Devices that were only heard make room; they are known again when they are heard again.
      byId.values().removeIf(device -> !device.isKept());
    }
    return byId.containsKey(id) || byId.size() < config.devicesMax();
  }

  /**
   * Changes a device; durable on return.
   *
   * @param change receives the device, or a new one if it is not known
   * @return false when there are too many devices
   */
  boolean change(String id, UnaryOperator<Device> change) throws IOException, InterruptedException {
    if (!hasRoomFor(id)) {
      return false;
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
        // The client is refused and will ask again: without this, its command would then wait
        // twice.
        byId.computeIfPresent(id, (key, now) -> now.equals(then[1]) ? then[0] : now);
      }
    }
    return true;
  }

  /** Writes changes that are not on disk yet. */
  public void save() throws IOException, InterruptedException {
    saveThrough(changes.get());
  }

  /**
   * Writes the file, unless another thread's write has included this change: a caller that waited
   * for that write may find its own work done.
   */
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

  /** The device as it is now: what has waited too long does not wait any more. */
  private Device fresh(Device device) {
    long keep = config.commandKeep().toMillis();
    long oldest = clock.millis() - keep;
    List<Device.Waiting> left = new ArrayList<>();
    List<Device.Ended> ended = new ArrayList<>();
    for (Device.Waiting one : device.waiting()) {
      if (one.sinceMillis() >= oldest) {
        left.add(one);
      } else {
        PhoneCommand command = one.command();
        ended.add(
            new Device.Ended(
                command.id(), command.type(), Device.End.EXPIRED, one.sinceMillis() + keep));
      }
    }
    return ended.isEmpty() ? device : device.waiting(left, ended);
  }

  private Device.Ended ended(Device.Waiting waiting, Device.End end) {
    PhoneCommand command = waiting.command();
    return new Device.Ended(command.id(), command.type(), end, clock.millis());
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
