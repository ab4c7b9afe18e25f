package gilmok.collect.devices;

import gilmok.collect.dialect.PhoneCommand;
import gilmok.http.Exchange;
import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The phones of one node, in one file of its data folder. Concurrent changes share one write. That
 * a command was sent becomes durable with the next change, or by {@link #save}: after a crash it
 * may be sent again.
 *
 * <p>Thread-safe. Changing and saving block.
 */
public final class FileDevices extends Devices {
  /** The name of the file. */
  static final String FILE = "devices";

  private static final Logger LOG = System.getLogger("gilmok.devices");

  private final DevicesFile file;
  private final AtomicLong changes = new AtomicLong();
  private final ReentrantLock writing = new ReentrantLock();
  private long written;

  /**
   * Reads the devices of a data folder.
   *
   * @throws IOException when the file cannot be read or is damaged; the message names it
   */
  public FileDevices(DevicesConfig config, Path data, Disk disk, InstantSource clock)
      throws IOException, InterruptedException {
    super(config, clock);
    this.file = new DevicesFile(new Checkpoint(disk, data.resolve(FILE)));
    file.makeIfMissing();
    for (Device device : file.read()) {
      byId.put(device.id(), device);
    }
    regroup();
  }

  @Override
  public boolean isRead() {
    return true;
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

  @Override
  public void take(
      Exchange exchange,
      String device,
      int max,
      Predicate<PhoneCommand> canCarry,
      Consumer<List<PhoneCommand>> then) {
    List<PhoneCommand> taken = new ArrayList<>();
    byId.computeIfPresent(
        device,
        (id, now) -> {
          Device fresh = fresh(now);
          List<Device.Waiting> left = new ArrayList<>();
          List<Device.Ended> ended = new ArrayList<>();
          for (Device.Waiting waiting : fresh.waiting()) {
            if (!canCarry.test(waiting.command())) {
              ended.add(ended(waiting.command(), Device.End.DROPPED));
            } else if (taken.size() == max) {
              left.add(waiting);
            } else {
              taken.add(waiting.command());
              ended.add(ended(waiting.command(), Device.End.SENT));
            }
          }
          return fresh.waiting(left, ended);
        });
    changes.incrementAndGet();
    then.accept(taken);
  }

  @Override
  Outcome tie(String id, String rider, @Nullable String group)
      throws IOException, InterruptedException {
    return change(id, device -> device.tied(rider, group));
  }

  @Override
  Outcome untie(String id) throws IOException, InterruptedException {
    return change(id, device -> device.tied(null, null).waiting(List.of()));
  }

  @Override
  void dropped(String rider, List<Device> gone) throws IOException, InterruptedException {
    saveThrough(changes.incrementAndGet());
  }

  @Override
  Outcome tell(String id, PhoneCommand command) throws IOException, InterruptedException {
    Device known = find(id);
    return known != null && known.waiting().size() >= config.commandsMax()
        ? Outcome.TOO_MANY_COMMANDS
        : change(id, device -> device.told(command, clock.millis()));
  }

  @Override
  List<Tied> tieNew(List<Device> brought) throws IOException, InterruptedException {
    List<Tied> all = new ArrayList<>(brought.size());
    for (Device as : brought) {
      Device there = find(as.id());
      boolean isTied = there != null && there.riderId() != null;
      boolean hasRoom = isTied || hasRoomFor(as.id(), 0);
      if (!isTied && hasRoom) {
        byId.compute(
            as.id(),
            (id, known) ->
                (known == null ? Device.unknown(id) : known).tied(as.riderId(), as.group()));
        changes.incrementAndGet();
      }
      all.add(new Tied(isTied ? there : null, hasRoom));
    }
    save();
    return all;
  }

  /**
   * Changes a device; durable on return.
   *
   * @param change receives the device, or a new one if it is not known
   */
  private Outcome change(String id, UnaryOperator<Device> change)
      throws IOException, InterruptedException {
    if (!hasRoomFor(id, 0)) {
      return Outcome.NO_ROOM;
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
    return Outcome.DONE;
  }

  /** Writes changes that are not on disk yet. */
  void save() throws IOException, InterruptedException {
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
}
