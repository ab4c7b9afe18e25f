package gilmok.collect.devices;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Devices in a database that several nodes share. Each change is one atomic step of one device, is
 * durable on return, and raises the device's version, so that two readings of a device can be told
 * apart. Thread-safe; calls block, and throw {@link IOException} when the database fails.
 */
public interface DeviceStore {
  /** Most devices that one call reads, or is brought. */
  int PAGE_MAX = 1_000;

  /**
   * Some of all devices, by id.
   *
   * @param devices those that can be read
   * @param unreadable the ids of those that cannot
   * @param idle those, of the devices, of which nothing is kept any more, and for long
   * @param next the id to go on after; null at the end
   */
  record Page(
      List<Device> devices, List<String> unreadable, List<Device> idle, @Nullable String next) {}

  /**
   * Devices that have changed, the one whose change is the longest ago first.
   *
   * @param throughMillis when the last of them has changed, by the database's clock; where there is
   *     none, since when was asked
   * @param isWhole whether there are no more
   */
  record Changes(List<Device> devices, long throughMillis, boolean isWhole) {}

  /** A command of a device that waits no more. */
  record Ending(String deviceId, Device.Ended ended) {}

  /**
   * What became of a device that was brought.
   *
   * @param wasThere whether it was there already; then it stays as it was
   * @param now the device as it is now
   */
  record Restored(boolean wasThere, Device now) {}

  /** Reads devices whose ids sort after that one; empty for the first ones. */
  Page page(String afterId, long nowMillis) throws IOException, InterruptedException;

  /** When the newest change was, by the database's clock; 0 if there is none. */
  long newestMillis() throws IOException, InterruptedException;

  /**
   * Reads devices that have changed since then.
   *
   * @param sinceMillis by the database's clock, included
   */
  Changes changes(long sinceMillis) throws IOException, InterruptedException;

  /** Ties a device; returns it as it is then. */
  Device tie(String id, String rider, @Nullable String group, long nowMillis)
      throws IOException, InterruptedException;

  /** Takes tie, group and commands away; null when the device is not stored. */
  @Nullable Device untie(String id) throws IOException, InterruptedException;

  /**
   * Lets a command wait for a device.
   *
   * @param max how many commands can wait
   * @return the device as it is then; null when so many wait
   */
  @Nullable Device tell(String id, Device.Waiting command, int max)
      throws IOException, InterruptedException;

  /**
   * Takes hold of a command, for one who is about to send it. Of several who try at once, one
   * succeeds.
   *
   * @param untilMillis until when nobody else can
   * @return the device as it is then; null when the command does not wait, or another holds it
   */
  @Nullable Device claim(String id, String commandId, long nowMillis, long untilMillis)
      throws IOException, InterruptedException;

  /** Ends commands that wait; one that does not wait any more stays as it is. At most a page. */
  void end(List<Ending> endings) throws IOException, InterruptedException;

  /**
   * Brings devices where there is none of that id with a tie or, if commands are brought, with
   * commands. At most a page. The same again after an interruption completes it.
   */
  List<Restored> restore(List<Device> brought, long nowMillis)
      throws IOException, InterruptedException;

  /** Removes devices, whatever is kept of them. */
  default void forget(List<Device> all) throws IOException, InterruptedException {
    for (Device one : all) {
      Device after = untie(one.id());
      if (after != null) {
        remove(after);
      }
    }
  }

  /** Removes a device of which nothing is kept, unless it has changed since it was read. */
  void remove(Device idle) throws IOException, InterruptedException;
}
