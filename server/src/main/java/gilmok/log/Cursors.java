package gilmok.log;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The cursors of one log, one small file each. Thread-safe. */
final class Cursors {
  private static final String SUFFIX = ".cursor";

  private final Disk disk;
  private final Path folder;
  private final Map<String, Cursor> byName = new ConcurrentHashMap<>();

  private Cursors(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  static Cursors open(Disk disk, Path folder) throws IOException {
    disk.createFolder(folder);
    Cursors cursors = new Cursors(disk, folder);
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
    Cursor made = new Cursor(name, file, 0);
    byName.put(name, made);
    return made;
  }

  /** The sequence that every cursor has passed; the largest possible one when there are none. */
  long passedByAll() {
    long passed = Long.MAX_VALUE;
    for (Cursor cursor : byName.values()) {
      passed = Math.min(passed, cursor.sequence());
    }
    return passed;
  }

  private void load(String name) throws IOException {
    Checkpoint file = file(name);
    Long sequence = file.read(DataInputStream::readLong);
    if (sequence == null) {
      throw new DamagedLogException(folder.resolve(name + SUFFIX), 0, "no sound cursor");
    }
    byName.put(name, new Cursor(name, file, sequence));
  }

  private Checkpoint file(String name) {
    if (!name.matches("[a-z0-9.-]{1,64}")) {
      throw new IllegalArgumentException("no name for a cursor: " + name);
    }
    return new Checkpoint(disk, folder.resolve(name + SUFFIX));
  }
}
