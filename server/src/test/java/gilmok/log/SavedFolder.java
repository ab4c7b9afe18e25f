package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The files of a data folder as bytes, to be written to a new disk, damaged or not. */
final class SavedFolder {
  private static final List<String> FOLDERS = List.of("log", "cursors", "snapshots");

  private final Path data;
  private final NavigableMap<String, byte[]> files = new TreeMap<>();

  private SavedFolder(Path data) {
    this.data = data;
  }

  static SavedFolder of(Disk disk, Path data) throws IOException {
    SavedFolder saved = new SavedFolder(data);
    for (String folder : FOLDERS) {
      for (String name : disk.list(data.resolve(folder))) {
        try (Disk.File file = disk.openForReading(data.resolve(folder).resolve(name))) {
          ByteBuffer all = ByteBuffer.allocate((int) file.size());
          while (all.hasRemaining() && file.read(all, all.position()) >= 0) {
            // Reads until the end.
          }
          saved.files.put(folder + "/" + name, all.array());
        }
      }
    }
    return saved;
  }

  /** The segments, oldest first, as paths below the data folder. */
  List<String> segments() {
    return files.keySet().stream().filter(name -> name.startsWith("log/")).toList();
  }

  NavigableMap<String, byte[]> files() {
    return files;
  }

  byte[] bytes(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new IllegalArgumentException(name);
    }
    return bytes.clone();
  }

  SavedFolder with(String name, byte[] bytes) {
    SavedFolder changed = without(name);
    changed.files.put(name, bytes.clone());
    return changed;
  }

  SavedFolder without(String name) {
    SavedFolder changed = new SavedFolder(data);
    changed.files.putAll(files);
    changed.files.remove(name);
    return changed;
  }

  /** Writes these files to a new disk. */
  Disk restore() throws IOException {
    Disk disk = new PowerLossDisk(1, PowerLossDisk.Lie.NONE).boot();
    for (String folder : FOLDERS) {
      disk.createFolder(data.resolve(folder));
    }
    for (Map.Entry<String, byte[]> entry : files.entrySet()) {
      try (Disk.File file = disk.create(data.resolve(entry.getKey()))) {
        file.write(ByteBuffer.wrap(entry.getValue()), 0);
        file.force();
      }
    }
    return disk;
  }
}
