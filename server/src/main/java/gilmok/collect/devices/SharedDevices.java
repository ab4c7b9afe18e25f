package gilmok.collect.devices;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The phones of all nodes of one database; the package's page says how they are kept alike.
 * Thread-safe; changes block.
 */
public final class SharedDevices extends Devices implements BackgroundLoop.Work {
  /** How often this node asks what others have changed. */
  private static final long LOOK_NANOS = 300_000_000L;

  /** How long a command is held for an answer that is about to be sent. */
  static final Duration HOLD = Duration.ofMinutes(1);

  private static final int CLAIMS_MAX = 64;

  /** How long an answer waits for its commands while the database hangs. */
  private static final Duration CLAIM_WAIT = Duration.ofSeconds(3);

  private static final Logger LOG = System.getLogger("gilmok.devices");

  private final DeviceStore store;
  private final UnsavedEnds ends;
  private final DevicesMove move;
  private final DeviceReader reader;
  private final Offload offload;
  private final BackgroundLoop loop;
  private volatile boolean isRead;

  /** Whether ties have changed that {@link #friends} does not show yet. */
  private volatile boolean isRegroupDue;

  public record Means(
      DeviceStore store,
      Path data,
      Disk disk,
      InstantSource clock,
      Offloads offloads,
      BackgroundLoops loops,
      Readiness readiness) {}

  /**
   * Brings this node's file into the database, if there is one, and reads all devices; later, if
   * the database does not answer. Until then the node is not ready. A file that cannot be read or
   * is damaged is named by the exception.
   */
  public SharedDevices(DevicesConfig config, Means means) throws IOException, InterruptedException {
    super(config, means.clock);
    store = means.store;
    ends = new UnsavedEnds(store);
    move =
        new DevicesMove(
            new DevicesFile(new Checkpoint(means.disk, means.data.resolve(FileDevices.FILE))));
    reader = new DeviceReader(store, clock, new Known());
    offload =
        means.offloads.of(
            new Offload.Part(
                "phone_commands",
                "commands for phones are not taken and go on waiting",
                CLAIMS_MAX,
                CLAIM_WAIT,
                null));
    loop = means.loops.optional(name(), "phones' riders, groups and commands stand still", this);
    means.readiness.condition(
        name(),
        () ->
            isRead ? null : new Readiness.Lack("phones and their riders were not read yet", false));
    try {
      begin();
    } catch (IOException away) {
      LOG.log(
          Level.WARNING,
          "phones and their riders cannot be read yet; uploads of phone apps are answered 503 until"
              + " the database answers: {0}",
          away.getMessage());
    }
  }

  /** Starts to follow what other nodes change. */
  public void start() {
    loop.start();
  }

  @Override
  public void watch(Meters meters) {
    super.watch(meters);
    meters.gauge(
        "gilmok_phone_commands_unsaved",
        "Commands sent, dropped or expired that the database does not know of yet.",
        ends::size);
    meters.gauge(
        "gilmok_phone_commands_unsaved_max",
        "The bound of gilmok_phone_commands_unsaved.",
        () -> UnsavedEnds.MAX);
  }

  @Override
  public boolean isRead() {
    return isRead;
  }

  @Override
  public long pass() throws IOException, InterruptedException {
    ends.save();
    if (isRead) {
      reader.readOn();
    } else {
      begin();
    }
    ends.forgetSaved(); // last: an older reading would bring the commands back
    if (isRegroupDue) {
      isRegroupDue = false;
      regroup();
    }
    return LOOK_NANOS;
  }

  private void begin() throws IOException, InterruptedException {
    move.run(store, clock.millis());
    reader.readAll();
    isRegroupDue = false;
    regroup();
    isRead = true;
  }

  /** Reads all devices again, from the next pass on. Belongs to the loop. */
  void readAllSoon() {
    reader.readAllSoon();
  }

  /** The devices as {@link DeviceReader} knows them. */
  private final class Known implements DeviceReader.Known {
    @Override
    public void merge(Device read) {
      SharedDevices.this.merge(read);
    }

    @Override
    public Map<String, Long> versions() {
      Map<String, Long> all = new HashMap<>();
      for (Device device : byId.values()) {
        if (device.isKept()) {
          all.put(device.id(), device.version());
        }
      }
      return all;
    }

    @Override
    public void gone(String id, long version) {
      byId.computeIfPresent(
          id, (_, now) -> now.version() == version ? now.tied(null, null).waiting(List.of()) : now);
      isRegroupDue = true;
    }
  }

  /** Takes a device as the database has it, unless a newer reading is known. */
  private void merge(Device read) {
    boolean[] hasMoved = new boolean[1];
    byId.compute(
        read.id(),
        (_, known) -> {
          if (known != null && known.version() >= read.version()) {
            return known;
          }
          Device now = ends.without(known == null ? read : read.heardAs(known));
          hasMoved[0] = known == null ? read.group() != null : !read.isTiedAs(known);
          return now;
        });
    if (hasMoved[0]) {
      isRegroupDue = true;
    }
  }

  @Override
  public void take(
      Exchange exchange,
      String device,
      int max,
      Predicate<PhoneCommand> canCarry,
      Consumer<List<PhoneCommand>> then) {
    Device known = byId.get(device);
    List<PhoneCommand> free = new ArrayList<>();
    if (known != null) {
      for (Device.Waiting one : known.waiting()) {
        if (one.heldUntilMillis() > clock.millis() || ends.has(one.command().id())) {
          continue;
        }
        if (isExpired(one)) {
          end(device, expired(one));
        } else if (!canCarry.test(one.command())) {
          end(device, ended(one.command(), Device.End.DROPPED));
        } else if (free.size() < max) {
          free.add(one.command());
        }
      }
    }
    if (free.isEmpty() || ends.isFull() || loop.failure() != null) {
      then.accept(List.of());
      return;
    }
    Handover handover = new Handover(device, then);
    offload.ask(
        exchange,
        asked -> asked.execute(() -> handover.give(List.of())),
        () -> {
          List<PhoneCommand> claimed = claim(device, free);
          return asked -> asked.execute(() -> handover.give(claimed));
        });
  }

  /** Those of the commands that this node may send, and no other. */
  private List<PhoneCommand> claim(String device, List<PhoneCommand> commands)
      throws InterruptedException {
    List<PhoneCommand> claimed = new ArrayList<>();
    try {
      for (PhoneCommand command : commands) {
        long now = clock.millis();
        Device after = store.claim(device, command.id(), now, now + HOLD.toMillis());
        if (after != null) {
          merge(after);
          claimed.add(command);
        }
      }
    } catch (IOException away) {
      // Those that are claimed are sent; the others wait on, as the phone's records are stored.
      loop.wake();
    }
    return claimed;
  }

  /** Gives commands to who sends them, once. Belongs to the exchange's event loop. */
  private final class Handover {
    private final String device;
    private final Consumer<List<PhoneCommand>> then;
    private boolean isOver;

    Handover(String device, Consumer<List<PhoneCommand>> then) {
      this.device = device;
      this.then = then;
    }

    void give(List<PhoneCommand> commands) {
      if (!isOver) { // else it has taken too long, and the phone was answered without them
        isOver = true;
        List<Device.Ended> sent =
            commands.stream().map(command -> ended(command, Device.End.SENT)).toList();
        sent.forEach(one -> show(device, one)); // who has the answer may ask at once
        then.accept(commands);
        sent.forEach(one -> save(device, one));
      }
    }
  }

  /** Ends a command: at once for this node, soon in the database. */
  private void end(String device, Device.Ended ended) {
    save(device, ended);
    show(device, ended);
  }

  private void show(String device, Device.Ended ended) {
    byId.computeIfPresent(device, (_, now) -> now.without(ended));
  }

  private void save(String device, Device.Ended ended) {
    ends.add(device, ended);
    loop.wake();
  }

  @Override
  Outcome tie(String id, String rider, @Nullable String group)
      throws IOException, InterruptedException {
    if (!hasRoomFor(id, 0)) {
      return Outcome.NO_ROOM;
    }
    merge(store.tie(id, rider, group, clock.millis()));
    regroup();
    return Outcome.DONE;
  }

  @Override
  Outcome untie(String id) throws IOException, InterruptedException {
    Device after = store.untie(id);
    if (after != null) {
      merge(after);
      regroup();
    }
    return Outcome.DONE;
  }

  @Override
  void dropped(String rider, List<Device> gone) throws IOException, InterruptedException {
    store.forget(gone);
    move.forget(rider);
  }

  @Override
  Outcome tell(String id, PhoneCommand command) throws IOException, InterruptedException {
    if (!hasRoomFor(id, 0)) {
      return Outcome.NO_ROOM;
    }
    Device.Waiting waiting = new Device.Waiting(command, clock.millis());
    Device after = store.tell(id, waiting, config.commandsMax());
    if (after == null && endExpired(id)) {
      after = store.tell(id, waiting, config.commandsMax());
    }
    if (after == null) {
      return Outcome.TOO_MANY_COMMANDS;
    }
    merge(after);
    return Outcome.DONE;
  }

  /** Makes room among the commands that wait; false when none of them has waited too long. */
  private boolean endExpired(String id) throws IOException, InterruptedException {
    Device known = byId.getOrDefault(id, Device.unknown(id));
    List<DeviceStore.Ending> expired =
        known.waiting().stream()
            .filter(this::isExpired)
            .map(one -> new DeviceStore.Ending(id, expired(one)))
            .toList();
    if (!expired.isEmpty()) {
      store.end(expired);
    }
    return !expired.isEmpty();
  }

  @Override
  List<Tied> tieNew(List<Device> brought) throws IOException, InterruptedException {
    List<Device> fitting = new ArrayList<>();
    Set<String> more = new HashSet<>();
    boolean[] fits = new boolean[brought.size()];
    for (int i = 0; i < fits.length; i++) {
      Device one = brought.get(i);
      fits[i] = more.contains(one.id()) || hasRoomFor(one.id(), more.size());
      if (fits[i]) {
        fitting.add(one);
        if (!byId.containsKey(one.id())) {
          more.add(one.id());
        }
      }
    }
    List<DeviceStore.Restored> restored = new ArrayList<>();
    for (int from = 0; from < fitting.size(); from += DeviceStore.PAGE_MAX) {
      int to = Math.min(from + DeviceStore.PAGE_MAX, fitting.size());
      restored.addAll(store.restore(fitting.subList(from, to), clock.millis()));
    }
    restored.forEach(one -> merge(one.now()));
    regroup();
    Iterator<DeviceStore.Restored> next = restored.iterator();
    List<Tied> all = new ArrayList<>(brought.size());
    for (boolean isFitting : fits) {
      if (isFitting) {
        DeviceStore.Restored it = next.next();
        all.add(new Tied(it.wasThere() ? it.now() : null, true));
      } else {
        all.add(new Tied(null, false));
      }
    }
    return all;
  }

  /** Saves which commands have been sent, so that no phone gets them again. */
  @Override
  public void end() throws IOException, InterruptedException {
    ends.save();
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    offload.drain(patience);
    loop.stop(patience);
  }
}
