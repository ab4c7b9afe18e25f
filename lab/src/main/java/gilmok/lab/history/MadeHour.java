package gilmok.lab.history;

import gilmok.shipped.RiderHash;
import gilmok.shipped.ShippedName;
import gilmok.shipped.ShippedName.Kind;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * Writes the files of one hour of receipt: as its compaction leaves them, or as they are published.
 * Positions that were late, and ends of hours that were sent again, are among them. Not
 * thread-safe.
 */
final class MadeHour {
  /** As the compaction has it. */
  private static final int PART_ROWS = 200_000;

  private static final int PARTS_MAX = 64;
  private static final int PUBLISHED_MILLIS = 10_000;
  private static final int BUFFER_BYTES = 256 << 10;

  /** A rider has at most so many sequences in an hour: own ones, repeats, late ones. */
  private static final int SEQUENCES = 5000;

  private static final int REPEATS_FROM = 3700;
  private static final int LATE_FROM = 4200;

  private static final int STEP_BITS = 12;
  private static final int WHAT_BITS = 2;
  private static final int RIDER_BITS = 20;

  private final MadeFleet fleet;
  private final Disk disk;
  private final String node;
  private final Path folder;
  private final int day;
  private final int hour;
  private final long base;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final PositionRow row = new PositionRow();
  private long rows;
  private long bytes;
  private int files;

  /** How positions of an hour come in. */
  private enum What {
    REPEATED(0),
    OWN(1),
    LATE(2);

    private final int code;

    What(int code) {
      this.code = code;
    }
  }

  MadeHour(MadeFleet fleet, Disk disk, Path root, String node, int day, int hour) {
    this.fleet = fleet;
    this.disk = disk;
    this.node = node;
    this.day = day;
    this.hour = hour;
    folder =
        root.resolve(
            String.format(
                Locale.ROOT,
                "stream=traces/date=%s/hour=%02d",
                MadeFleet.FIRST_DAY.plusDays(day),
                hour));
    base = 1 + (day * 24L + hour) * fleet.riders() * SEQUENCES;
  }

  Path folder() {
    return folder;
  }

  long rows() {
    return rows;
  }

  long bytes() {
    return bytes;
  }

  int files() {
    return files;
  }

  /** Writes them as the compaction does: riders in parts, sorted, and who was late apart. */
  void compacted() throws IOException {
    Files.createDirectories(folder);
    long all = 0;
    for (int rider = 0; rider < fleet.riders(); rider++) {
      for (What what : What.values()) {
        all += until(rider, what) - from(rider, what);
      }
    }
    int parts = 1;
    while (parts < PARTS_MAX && (long) parts * PART_ROWS < all) {
      parts *= 2;
    }
    for (int part = 1; part <= parts; part++) {
      write(Kind.RIDERS, part, parts);
    }
    write(Kind.LATE, 1, 1);
  }

  private void write(Kind kind, int part, int parts) throws IOException {
    long last = base + (long) fleet.riders() * SEQUENCES - 1;
    Path path =
        folder.resolve(new ShippedName(node, base, last, 1, kind, part, parts, 1).toString());
    try (PositionFile file = new PositionFile(disk, path, node, true, buffer)) {
      for (int rider = 0; rider < fleet.riders(); rider++) {
        byte[] id = fleet.id(rider);
        if (RiderHash.part(id, 0, id.length, parts) == part - 1) {
          for (What what : What.values()) {
            if ((kind == Kind.LATE) == (what == What.LATE)) {
              write(file, rider, what);
            }
          }
        }
      }
      end(file, path);
    }
  }

  private void write(PositionFile file, int rider, What what) throws IOException {
    int until = until(rider, what);
    for (int step = from(rider, what); step < until; step++) {
      set(rider, what, step);
      file.write(fleet.id(rider), row);
    }
  }

  private void end(PositionFile file, Path path) throws IOException {
    if (file.rows() == 0) {
      Files.delete(path);
      return;
    }
    rows += file.rows();
    bytes += file.finish();
    files++;
  }

  /** Writes them as the sink does: a small file each ten seconds, in the order of receipt. */
  void published() throws IOException {
    Files.createDirectories(folder);
    long[] order = order();
    for (int at = 0; at < order.length; ) {
      long slot = received(order[at]) / PUBLISHED_MILLIS;
      int end = at;
      long first = Long.MAX_VALUE;
      long last = 0;
      while (end < order.length && received(order[end]) / PUBLISHED_MILLIS == slot) {
        set(order[end++]);
        first = Math.min(first, row.sequence);
        last = Math.max(last, row.sequence);
      }
      Path path = folder.resolve(ShippedName.published(node, first, last).toString());
      try (PositionFile file = new PositionFile(disk, path, node, false, buffer)) {
        for (int i = at; i < end; i++) {
          file.write(fleet.id(set(order[i])), row);
        }
        end(file, path);
      }
      at = end;
    }
  }

  /** All positions of the hour by their time of receipt, each in a number. */
  private long[] order() {
    long began = MadeFleet.hourMillis(day, hour);
    long[] order = new long[1024];
    int size = 0;
    for (int rider = 0; rider < fleet.riders(); rider++) {
      for (What what : What.values()) {
        int until = until(rider, what);
        for (int step = from(rider, what); step < until; step++) {
          set(rider, what, step);
          if (size == order.length) {
            order = Arrays.copyOf(order, 2 * size);
          }
          order[size++] =
              (((row.receivedAt - began) << RIDER_BITS | rider) << WHAT_BITS | what.code)
                      << STEP_BITS
                  | step;
        }
      }
    }
    order = Arrays.copyOf(order, size);
    Arrays.sort(order);
    return order;
  }

  private static long received(long packed) {
    return packed >>> (RIDER_BITS + WHAT_BITS + STEP_BITS);
  }

  /** Sets the row of a position; returns whose it is. */
  private int set(long packed) {
    int step = (int) packed & ((1 << STEP_BITS) - 1);
    What what = What.values()[(int) (packed >>> STEP_BITS) & ((1 << WHAT_BITS) - 1)];
    int rider = (int) (packed >>> (STEP_BITS + WHAT_BITS)) & ((1 << RIDER_BITS) - 1);
    set(rider, what, step);
    return rider;
  }

  /** The first step of a rider that comes in so; the same as {@link #until} when none does. */
  private int from(int rider, What what) {
    return what == What.REPEATED ? until(rider, what) * 9 / 10 : 0;
  }

  private int until(int rider, What what) {
    boolean does =
        switch (what) {
          case REPEATED -> fleet.rides(rider, hour - 1) && fleet.isRepeated(rider, day, hour - 1);
          case OWN -> fleet.rides(rider, hour) && !fleet.isLate(rider, day, hour);
          case LATE ->
              fleet.rides(rider, hour - MadeFleet.LATE_HOURS)
                  && fleet.isLate(rider, day, hour - MadeFleet.LATE_HOURS);
        };
    return does ? fleet.steps(rider) : 0;
  }

  private void set(int rider, What what, int step) {
    long began = MadeFleet.hourMillis(day, hour);
    long first = base + rider;
    switch (what) {
      case REPEATED -> {
        fleet.set(row, rider, day, hour - 1, step);
        row.receivedAt = began + 60_000 + step * 10L;
        row.sequence = first + (long) (REPEATS_FROM + step - from(rider, what)) * fleet.riders();
      }
      case OWN -> {
        fleet.set(row, rider, day, hour, step);
        long delay = 200 + (row.keyLow & 0x3ff);
        row.receivedAt = Math.min(row.happenedAt + delay, began + MadeFleet.HOUR_MILLIS - 1);
        row.sequence = first + (long) step * fleet.riders();
      }
      case LATE -> {
        fleet.set(row, rider, day, hour - MadeFleet.LATE_HOURS, step);
        row.receivedAt = began + 300_000 + step * 10L;
        row.sequence = first + (long) (LATE_FROM + step) * fleet.riders();
      }
    }
  }
}
