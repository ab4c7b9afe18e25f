package gilmok.log;

import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import gilmok.storage.NewerFormatException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** The cursors of one log, one small file each. Thread-safe. */
final class Cursors {
  private static final Logger LOGGER = System.getLogger("gilmok.log");
  private static final String SUFFIX = ".cursor";

  /** The format of a cursor's file, which has no number: a newer one begins with its negative. */
  private static final int FORMAT = 1;

  private final Disk disk;
  private final Path folder;
  private final LongSupplier durable;
  private final Segments segments;
  private final Map<String, Cursor> byName = new ConcurrentHashMap<>();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  private Cursors(Disk disk, Path folder, LongSupplier durable, Segments segments) {
    this.segments = segments;
    this.durable = durable;
    this.disk = disk;
    this.folder = folder;
  }

  /**
   * @param durable the last durable sequence, the most that a cursor may reach; read at every
   *     advance
   * @param segments the segments that can still be read
   */
  static Cursors open(Disk disk, Path folder, LongSupplier durable, Segments segments)
      throws IOException {
    disk.createFolder(folder);
    // A process that crashed may have left files whose names are visible but not on disk yet.
    disk.forceFolder(folder);
    Cursors cursors = new Cursors(disk, folder, durable, segments);
    for (String file : disk.list(folder)) {
      String name = file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : "";
      if (isName(name)) {
        cursors.load(name);
      } else if (!file.endsWith(SUFFIX + ".tmp")) {
        LOGGER.log(
            Level.WARNING,
            "{0} is not a cursor; it is ignored and not deleted",
            folder.resolve(file));
      }
    }
    cursors.warnOfLost();
    return cursors;
  }

  /**
   * Returns the cursor of that name. A new one is made durable before the oldest record: its reader
   * has missed nothing that was deleted earlier.
   */
  synchronized Cursor of(String name) throws IOException, InterruptedException {
    asked.add(name);
    Cursor known = byName.get(name);
    if (known != null) {
      return known;
    }
    Cursor made = hold(name, false);
    if (durable.getAsLong() > 0) {
      LOGGER.log(
          Level.INFO,
          "{0} reads this log for the first time, from the oldest record on ({1} is new)",
          name,
          folder.resolve(name + SUFFIX));
    }
    try {
      made.write();
    } catch (IOException | InterruptedException | RuntimeException failed) {
      byName.remove(name);
      throw failed;
    }
    return made;
  }

  /** Makes a cursor before the oldest record, so that no deletion can overtake it. */
  private Cursor hold(String name, boolean rebuilt) {
    Checkpoint file = file(name);
    while (true) {
      long begin = segments.begin();
      Cursor made = new Cursor(name, file, durable, segments, begin, new byte[0], rebuilt);
      if (segments.holdFrom(begin + 1, () -> byName.put(name, made))) {
        return made;
      }
    }
  }

  /** The names of all cursors. */
  List<String> names() {
    return byName.keySet().stream().sorted().toList();
  }

  long sequenceOf(String name) {
    Cursor known = byName.get(name);
    return known == null ? durable.getAsLong() + 1 : known.sequence();
  }

  /** The names of cursors that were not requested: their readers do not run. */
  List<String> unread() {
    return names().stream().filter(name -> !asked.contains(name)).toList();
  }

  /** See {@link Log#leaveOff}. */
  void leaveOff(String name, LongConsumer letGo) {
    Cursor known = byName.get(name);
    if (known != null) {
      known.onFull(
          through -> {
            long unread = Math.max(0, through - known.sequence());
            known.advance(Math.max(through, known.sequence()));
            letGo.accept(unread);
            return true;
          });
    }
  }

  /** Deletes a cursor, durably. False if there is none of that name. */
  synchronized boolean forget(String name) throws IOException {
    Cursor known = byName.get(name);
    if (known == null) {
      return false;
    }
    known.forget();
    byName.remove(name);
    return true;
  }

  /** The cursors that have not passed that sequence yet. */
  List<Cursor> behind(long sequence) {
    return byName.values().stream().filter(cursor -> cursor.sequence() < sequence).toList();
  }

  /** The sequence that every cursor has passed; {@link Long#MAX_VALUE} when there are none. */
  long passedByAll() {
    return byName.values().stream().mapToLong(Cursor::sequence).min().orElse(Long.MAX_VALUE);
  }

  /** The sequence of the cursor that is furthest ahead: everything up to it was durable. */
  long furthest() {
    return byName.values().stream().mapToLong(Cursor::sequence).max().orElse(0);
  }

  private void load(String name) throws IOException {
    Checkpoint file = file(name);
    byte[] content = file.readBytes();
    if (content == null || content.length < Long.BYTES) {
      Cursor rebuilt = hold(name, true);
      LOGGER.log(
          Level.WARNING,
          "{0} is damaged: its reader starts again at sequence {1}, the oldest record; it gets"
              + " repeats, nothing is lost",
          folder.resolve(name + SUFFIX),
          String.valueOf(rebuilt.sequence() + 1));
      return;
    }
    NewerFormatException.check(file.path(), BigEndian.getLong(content, 0), FORMAT);
    byName.put(
        name,
        new Cursor(
            name,
            file,
            durable,
            segments,
            BigEndian.getLong(content, 0),
            Arrays.copyOfRange(content, Long.BYTES, content.length),
            false));
  }

  /** Warns of cursors whose next records are lost. */
  private void warnOfLost() {
    for (Cursor cursor : byName.values()) {
      for (LostRange lost : cursor.lost()) {
        if (lost.isSkipped()) {
          continue;
        }
        LOGGER.log(
            Level.WARNING,
            "the log has no sequences {0} to {1} any more, which {2} has not read: {3} records are"
                + " lost for it, as their segments were removed or damaged; if you have a copy of"
                + " these files, stop the server and put it back",
            String.valueOf(lost.from()),
            String.valueOf(lost.to()),
            cursor.name(),
            String.valueOf(lost.records()));
      }
    }
  }

  private static boolean isName(String name) {
    return name.matches("[a-z0-9.-]{1,64}");
  }

  private Checkpoint file(String name) {
    if (!isName(name)) {
      throw new IllegalArgumentException("no name for a cursor: " + name);
    }
    return new Checkpoint(disk, folder.resolve(name + SUFFIX));
  }
}
