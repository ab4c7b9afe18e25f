package gilmok.collect.devices;

import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the devices that nodes share: all at first, then what has changed since, and all again now
 * and then, a page with each pass.
 *
 * <p>Not thread-safe: one thread at a time.
 */
final class DeviceReader {
  /**
   * How far back each question reaches: changes become visible in nearly the order of their times,
   * and the clocks of the members of a replica set differ a little.
   */
  private static final long OVERLAP_MILLIS = 2_000;

  /** Most pages of changes that one pass reads; the next one goes on. */
  private static final int PAGES_MAX = 10;

  /**
   * How often all devices are read in any case: somebody may have changed documents by hand, or a
   * member with another clock has become the primary.
   */
  private static final long WHOLE_NANOS = 600_000_000_000L;

  /** Most empty documents that one pass removes. */
  private static final int REMOVED_MAX = 100;

  private final DeviceStore store;
  private final InstantSource clock;
  private final Known known;

  /** Since when changes are asked for, by the database's clock. */
  private long sinceMillis;

  private long wholeNanos;
  private @Nullable Reading reading;

  /** What a node knows of the devices. Thread-safe. */
  interface Known {
    /** Takes a device as the database has it, unless a newer reading is known. */
    void merge(Device read);

    /** The versions of those that have state to be kept, by id. */
    Map<String, Long> versions();

    /** A device that was known with that version is not in the database any more. */
    void gone(String id, long version);
  }

  /** A reading of all devices under way: what was known before it, and what it has found. */
  private static final class Reading {
    private final Map<String, Long> before;
    private final Set<String> found = new HashSet<>();
    private String after = "";

    Reading(Map<String, Long> before) {
      this.before = before;
    }
  }

  DeviceReader(DeviceStore store, InstantSource clock, Known known) {
    this.store = store;
    this.clock = clock;
    this.known = known;
  }

  /** Reads all devices. */
  void readAll() throws IOException, InterruptedException {
    // Asked before: what changes while all are read is among the changes afterwards.
    sinceMillis = Math.min(store.newestMillis(), clock.millis()) - OVERLAP_MILLIS;
    String after = "";
    while (after != null) {
      DeviceStore.Page page = store.page(after, clock.millis());
      page.devices().forEach(known::merge);
      after = page.next();
    }
    wholeNanos = System.nanoTime();
  }

  /** Reads what has changed, and a page of all devices where that is due. */
  void readOn() throws IOException, InterruptedException {
    readChanges();
    if (reading == null && System.nanoTime() - wholeNanos >= WHOLE_NANOS) {
      reading = new Reading(known.versions());
    }
    if (reading != null) {
      read(reading);
    }
  }

  /** Reads all devices again, from the next pass on. */
  void readAllSoon() {
    reading = null;
    wholeNanos = System.nanoTime() - WHOLE_NANOS;
  }

  private void readChanges() throws IOException, InterruptedException {
    for (int i = 0; i < PAGES_MAX; i++) {
      DeviceStore.Changes changes = store.changes(sinceMillis);
      changes.devices().forEach(known::merge);
      long through = changes.throughMillis();
      if (changes.isWhole()) {
        // Not beyond now: the clock of a former primary may have been ahead.
        sinceMillis = Math.max(sinceMillis, Math.min(through, clock.millis()) - OVERLAP_MILLIS);
        return;
      }
      if (through == sinceMillis) { // more than a page at one instant
        readAllSoon();
        through++;
      }
      sinceMillis = through;
    }
  }

  private void read(Reading now) throws IOException, InterruptedException {
    DeviceStore.Page page = store.page(now.after, clock.millis());
    for (Device device : page.devices()) {
      now.found.add(device.id());
      known.merge(device);
    }
    now.found.addAll(page.unreadable());
    for (Device idle : page.idle().subList(0, Math.min(REMOVED_MAX, page.idle().size()))) {
      store.remove(idle);
    }
    String next = page.next();
    if (next == null) {
      now.before.keySet().removeAll(now.found);
      now.before.forEach(known::gone);
      reading = null;
      wholeNanos = System.nanoTime();
    } else {
      now.after = next;
    }
  }
}
