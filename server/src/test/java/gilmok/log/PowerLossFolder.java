package gilmok.log;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a {@link PowerLossDisk}'s folder: as seen, as on disk, and the changes between the
 * two. Not thread-safe: guarded by the disk's lock.
 */
final class PowerLossFolder {
  private final Map<String, PowerLossFile> seen = new TreeMap<>();
  private final Map<String, PowerLossFile> onDisk = new TreeMap<>();
  private final List<Change> unforced = new ArrayList<>();

  PowerLossFile file(Path path) throws NoSuchFileException {
    PowerLossFile file = seen.get(name(path));
    if (file == null) {
      throw new NoSuchFileException(path.toString());
    }
    return file;
  }

  List<String> names() {
    return List.copyOf(seen.keySet());
  }

  void create(Path path, PowerLossFile file) throws FileAlreadyExistsException {
    if (seen.containsKey(name(path))) {
      throw new FileAlreadyExistsException(path.toString());
    }
    change(new Change(null, name(path), file));
  }

  void rename(Path from, Path to) throws NoSuchFileException {
    change(new Change(name(from), name(to), file(from)));
  }

  void delete(Path path) throws NoSuchFileException {
    change(new Change(name(path), null, file(path)));
  }

  private void change(Change change) {
    change.applyTo(seen);
    unforced.add(change);
  }

  void force() {
    onDisk.clear();
    onDisk.putAll(seen);
    unforced.clear();
  }

  void losePower(double keepName, double keepSector, Random random) {
    for (Change change : unforced) {
      if (random.nextDouble() < keepName) {
        change.applyTo(onDisk);
      }
    }
    seen.clear();
    seen.putAll(onDisk);
    unforced.clear();
    Set<PowerLossFile> done = new HashSet<>();
    for (PowerLossFile file : seen.values()) {
      if (done.add(file)) {
        file.losePower(keepSector, random);
      }
    }
  }

  /** One change of a name: without a source it is a creation, without a target a deletion. */
  private record Change(@Nullable String from, @Nullable String to, PowerLossFile file) {
    void applyTo(Map<String, PowerLossFile> names) {
      if (from != null && names.get(from) == file) {
        names.remove(from);
      }
      if (to != null) {
        names.put(to, file);
      }
    }
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }
}
