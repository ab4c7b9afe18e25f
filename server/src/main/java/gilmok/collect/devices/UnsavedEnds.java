package gilmok.collect.devices;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The ends of commands that the database does not know of yet, or that this node has not read from
 * it yet. {@link #save} and {@link #forgetSaved} belong to one thread; the other methods may be
 * called by any.
 */
final class UnsavedEnds {
  /** How many there can be, or a few more. */
  static final int MAX = 10_000;

  private static final int BATCH_MAX = 100;

  private final DeviceStore store;
  private final Map<String, DeviceStore.Ending> byCommand = new ConcurrentHashMap<>();
  private final Queue<DeviceStore.Ending> queue = new ConcurrentLinkedQueue<>();

  /** Those that are being saved; they stay here if that fails. */
  private final List<DeviceStore.Ending> inHand = new ArrayList<>(BATCH_MAX);

  private final List<DeviceStore.Ending> saved = new ArrayList<>();

  UnsavedEnds(DeviceStore store) {
    this.store = store;
  }

  /** Whether there is no room for another. */
  boolean isFull() {
    return byCommand.size() >= MAX;
  }

  /**
   * Adds one, to be saved soon. Over the bound it is forgotten, and the command goes on waiting in
   * the database.
   */
  void add(String deviceId, Device.Ended ended) {
    DeviceStore.Ending ending = new DeviceStore.Ending(deviceId, ended);
    if (!isFull() && byCommand.putIfAbsent(ended.id(), ending) == null) {
      queue.add(ending);
    }
  }

  /** Whether that command is one of them. */
  boolean has(String commandId) {
    return byCommand.containsKey(commandId);
  }

  /** The device without those of its commands, which the database still has. */
  Device without(Device read) {
    Device now = read;
    for (Device.Waiting one : read.waiting()) {
      DeviceStore.Ending ending = byCommand.get(one.command().id());
      if (ending != null) {
        now = now.without(ending.ended());
      }
    }
    return now;
  }

  /** How many there are. */
  int size() {
    return byCommand.size();
  }

  /** Saves all that there are. */
  void save() throws IOException, InterruptedException {
    while (hasNext()) {
      store.end(inHand);
      saved.addAll(inHand);
      inHand.clear();
    }
  }

  private boolean hasNext() {
    while (inHand.size() < BATCH_MAX) {
      DeviceStore.Ending next = queue.poll();
      if (next == null) {
        break;
      }
      inHand.add(next);
    }
    return !inHand.isEmpty();
  }

  /** Forgets those that are saved; once devices are read from the database that show it. */
  void forgetSaved() {
    saved.forEach(one -> byCommand.remove(one.ended().id()));
    saved.clear();
  }
}
