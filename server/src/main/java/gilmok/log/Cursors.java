package gilmok.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The cursors of one log, one small file each. Thread-safe. */
final class Cursors {
  private static final String SUFFIX = ".cursor";

  private final Disk disk;
  private final Path folder;
  private final LongSupplier durable;
  private final Segments segments;
  private final Map<String, Cursor> byName = new ConcurrentHashMap<>();

  private Cursors(Disk disk, Path folder, LongSupplier durable, Segments segments) {
    this.segments = segments;
    this.durable = durable;
    this.disk = disk;
    this.folder = folder;
  }

  /**
   * @param durable asked at every advance: how far any reader can have come
   * @param segments what can be read again
   */
  static Cursors open(Disk disk, Path folder, LongSupplier durable, Segments segments)
      throws IOException {
    disk.createFolder(folder);
    // A process that died may have left names that are seen but not on disk yet.
    disk.forceFolder(folder);
    Cursors cursors = new Cursors(disk, folder, durable, segments);
    for (String file : disk.list(folder)) {
      if (file.endsWith(SUFFIX)) {
        cursors.load(file.substring(0, file.length() - SUFFIX.length()));
      }
    }
    return cursors;
  }

  /** The cursor of that name, made durable at 0 when there is none yet. */
  synchronized Cursor of(String name) throws IOException, InterruptedException {
    Cursor known = byName.get(name);
    if (known != null) {
      return known;
    }
    Checkpoint file = file(name);
    file.replace(out -> out.writeLong(0));
    Cursor made = new Cursor(name, file, durable, segments, 0, new byte[0]);
    byName.put(name, made);
    return made;
  }

  /** The names of all. */
  List<String> names() {
    return byName.keySet().stream().sorted().toList();
  }

  /** Deletes one, durably. False if there is none of that name. */
  synchronized boolean forget(String name) throws IOException {
    Cursor known = byName.get(name);
    if (known == null) {
      return false;
    }
    known.forget();
    byName.remove(name);
    return true;
  }

  /** Those that have not passed that sequence yet. */
  List<Cursor> behind(long sequence) {
    return byName.values().stream().filter(cursor -> cursor.sequence() < sequence).toList();
  }

  /** The sequence that every cursor has passed; the largest possible one when there are none. */
  long passedByAll() {
    long passed = Long.MAX_VALUE;
    for (Cursor cursor : byName.values()) {
      passed = Math.min(passed, cursor.sequence());
    }
    return passed;
  }

  /** How far the foremost cursor has come: all of that was durable. */
  long furthest() {
    long furthest = 0;
    for (Cursor cursor : byName.values()) {
      furthest = Math.max(furthest, cursor.sequence());
    }
    return furthest;
  }

  private void load(String name) throws IOException {
    Checkpoint file = file(name);
    byte[] content = file.readBytes();
    if (content == null || content.length < Long.BYTES) {
      throw new DamagedLogException(folder.resolve(name + SUFFIX), 0, "no sound cursor");
    }
    byName.put(
        name,
        new Cursor(
            name,
            file,
            durable,
            segments,
            BigEndian.getLong(content, 0),
            Arrays.copyOfRange(content, Long.BYTES, content.length)));
  }

  private Checkpoint file(String name) {
    if (!name.matches("[a-z0-9.-]{1,64}")) {
      throw new IllegalArgumentException("no name for a cursor: " + name);
    }
    return new Checkpoint(disk, folder.resolve(name + SUFFIX));
  }
}
