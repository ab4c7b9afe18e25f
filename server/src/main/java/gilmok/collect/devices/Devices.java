package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.event.HiddenKey;
import gilmok.http.Exchange;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All phones, in memory: their ties, groups and waiting commands, and what each spoke last. A
 * change is durable before the method that makes it returns; where, a subclass knows.
 *
 * <p>Thread-safe. Look-ups, {@link #heard} and {@link #take} never block; what changes a device
 * does.
 */
public abstract class Devices implements Drainable {
  /** The most friends that one device sees. */
  static final int FRIENDS_MAX = 100;

  /** The precision of the time at which a device was heard. */
  private static final long HEARD_MILLIS = 1000;

  final DevicesConfig config;
  final InstantSource clock;
  final Map<String, Device> byId = new ConcurrentHashMap<>();
  private volatile Map<String, List<String>> groups = Map.of();

  /** What a change has come to. */
  enum Outcome {
    /** It is durable. */
    DONE,
    /** There are as many devices as may be. */
    NO_ROOM,
    /** As many commands wait for the device as may. */
    TOO_MANY_COMMANDS
  }

  /**
   * What became of a device that was brought.
   *
   * @param there the device that was tied already, and stays as it was; null if it was tied now
   * @param hasRoom false when there are as many devices as may be
   */
  record Tied(@Nullable Device there, boolean hasRoom) {}

  Devices(DevicesConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
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

  /**
   * Whether the devices have been read since the start. Until then {@link #riderOf} would name a
   * wrong rider, so nothing may be stored by it.
   */
  public abstract boolean isRead();

  /** The rider of a device; the device's own id when it is tied to none. */
  public final String riderOf(String device) {
    Device known = byId.get(device);
    return known == null ? device : known.rider();
  }

  /**
   * Notes that a device has spoken in a dialect. Over the limit, new devices are not remembered.
   */
  public final void heard(String device, String dialect) {
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
  public final List<String> friends(String device) {
    Device known = byId.get(device);
    if (known == null || known.group() == null) {
      return List.of();
    }
    List<String> riders = new ArrayList<>(groups.getOrDefault(known.group(), List.of()));
    riders.remove(known.rider());
    return riders.size() <= FRIENDS_MAX ? riders : riders.subList(0, FRIENDS_MAX);
  }

  /** The riders of a group as far as they are known. */
  public final List<String> ridersOrNone(String group) {
    try {
      return riders(group);
    } catch (IOException notKnownYet) {
      return List.of();
    }
  }

  /**
   * The riders of a group, in the order of their ids; none when there is no such group.
   *
   * @throws IOException when the devices were never read
   */
  public final List<String> riders(String group) throws IOException {
    needRead();
    return groups.getOrDefault(group, List.of());
  }

  private void needRead() throws IOException {
    if (!isRead()) {
      throw new IOException("the devices could not be read since the start");
    }
  }

  /** Whether a command waits for a device, which {@link #take} may give. */
  public final boolean hasCommands(String device) {
    Device known = byId.get(device);
    return known != null && !known.waiting().isEmpty();
  }

  /**
   * Takes up to {@code max} of the commands that wait for a device, and counts them as sent.
   * Commands that its dialect cannot carry are dropped, as are those that have waited too long.
   * From the exchange's event loop.
   *
   * @param canCarry asked on the event loop only, before this method returns
   * @param then is given the commands once, on the exchange's event loop, at once or later; none
   *     where they cannot be taken now, and then they go on waiting
   */
  public abstract void take(
      Exchange exchange,
      String device,
      int max,
      Predicate<PhoneCommand> canCarry,
      Consumer<List<PhoneCommand>> then);

  /** A device; null when it is not known. */
  final @Nullable Device find(String id) {
    Device known = byId.get(id);
    return known == null ? null : fresh(known);
  }

  /** How many devices are known. */
  public final int size() {
    return byId.size();
  }

  /**
   * The devices whose ids follow {@code after}, in the order of their ids, up to {@code limit}.
   *
   * @param rider only those of this rider; null for all
   */
  final List<Device> list(String after, @Nullable String rider, int limit) {
    return byId.values().stream()
        .filter(device -> device.id().compareTo(after) > 0)
        .filter(device -> rider == null || device.rider().equals(rider))
        .sorted(Comparator.comparing(Device::id))
        .limit(limit)
        .map(this::fresh)
        .toList();
  }

  /**
   * The devices that are tied to a rider and whose ids follow {@code after}, by id.
   *
   * @throws IOException when the devices were never read
   */
  final List<Device> tied(String after, int limit) throws IOException {
    needRead();
    return byId.values().stream()
        .filter(device -> device.riderId() != null && device.id().compareTo(after) > 0)
        .sorted(Comparator.comparing(Device::id))
        .limit(limit)
        .toList();
  }

  /** Ties a device to a rider, and to a group if it is given one. */
  abstract Outcome tie(String id, String rider, @Nullable String group)
      throws IOException, InterruptedException;

  /** Takes a device's tie, its group and its commands away. */
  abstract Outcome untie(String id) throws IOException, InterruptedException;

  /** The ids of a rider's devices. */
  public final List<String> idsOf(String rider) {
    return byId.values().stream()
        .filter(device -> device.rider().equals(rider))
        .map(Device::id)
        .sorted()
        .toList();
  }

  /**
   * Forgets the devices of a rider, with their commands; durable on return. Blocks.
   *
   * @return how many there were
   */
  public final int forget(String rider) throws IOException, InterruptedException {
    List<Device> gone =
        byId.values().stream().filter(device -> device.rider().equals(rider)).toList();
    gone.forEach(device -> byId.remove(device.id()));
    boolean isGone = false;
    try {
      dropped(rider, gone);
      isGone = true;
    } finally {
      if (!isGone) { // or the next attempt would not find them
        gone.forEach(device -> byId.putIfAbsent(device.id(), device));
      }
    }
    regroup();
    return gone.size();
  }

  /** Drops a rider's devices, which are in memory no more, where they are kept; durable then. */
  abstract void dropped(String rider, List<Device> gone) throws IOException, InterruptedException;

  /** Lets a command wait for a device. */
  abstract Outcome tell(String id, PhoneCommand command) throws IOException, InterruptedException;

  /** Ties devices that are not tied yet, as those are; tells for each what became of it. */
  abstract List<Tied> tieNew(List<Device> brought) throws IOException, InterruptedException;

  /**
   * Whether a device fits. Where there is no room, devices that were only heard make it; they are
   * known again when they are heard again.
   *
   * @param beside how many others are about to come
   */
  final boolean hasRoomFor(String id, int beside) {
    int most = config.devicesMax() - beside;
    if (!byId.containsKey(id) && byId.size() >= most) {
      byId.values().removeIf(device -> !device.isKept());
    }
    return byId.containsKey(id) || byId.size() < most;
  }

  /** The device as it is now: what has waited too long does not wait any more. */
  final Device fresh(Device device) {
    List<Device.Waiting> left = new ArrayList<>();
    List<Device.Ended> ended = new ArrayList<>();
    for (Device.Waiting one : device.waiting()) {
      if (isExpired(one)) {
        ended.add(expired(one));
      } else {
        left.add(one);
      }
    }
    return ended.isEmpty() ? device : device.waiting(left, ended);
  }

  final boolean isExpired(Device.Waiting one) {
    return one.sinceMillis() < clock.millis() - config.commandKeep().toMillis();
  }

  final Device.Ended expired(Device.Waiting one) {
    PhoneCommand command = one.command();
    long at = one.sinceMillis() + config.commandKeep().toMillis();
    return new Device.Ended(command.id(), command.type(), Device.End.EXPIRED, at);
  }

  final Device.Ended ended(PhoneCommand command, Device.End end) {
    return new Device.Ended(command.id(), command.type(), end, clock.millis());
  }

  /** Finds anew who is in which group. After ties have changed. */
  final synchronized void regroup() {
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
