package gilmok.backup.repository;

import gilmok.storage.Disk;
import gilmok.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Objects as files of a folder, which is its owner's alone. */
record FolderStore(Path folder, Disk disk) implements ObjectStore {
  private static final String PART = ".part";

  /** No writer is that slow with one object. */
  private static final Duration SWEPT_AFTER = Duration.ofDays(1);

  @Override
  public String place() {
    return folder.toString();
  }

  @Override
  public Map<String, Long> list(String prefix) throws IOException {
    Path below = folder.resolve(prefix);
    Map<String, Long> names = new TreeMap<>();
    if (!Files.isDirectory(below)) {
      return names;
    }
    try (Stream<Path> walked = Files.walk(below)) {
      for (Path path : (Iterable<Path>) walked.filter(Files::isRegularFile)::iterator) {
        String name = folder.relativize(path).toString();
        if (!name.endsWith(PART)) {
          names.put(name, Files.size(path));
        }
      }
    }
    return names;
  }

  @Override
  public void sweep(String prefix) throws IOException {
    Path below = folder.resolve(prefix);
    if (!Files.isDirectory(below)) {
      return;
    }
    Instant old = Instant.now().minus(SWEPT_AFTER);
    try (Stream<Path> walked = Files.walk(below)) {
      for (Path path : (Iterable<Path>) walked.filter(Files::isRegularFile)::iterator) {
        if (path.toString().endsWith(PART)
            && Files.getLastModifiedTime(path).toInstant().isBefore(old)) {
          Files.deleteIfExists(path);
        }
      }
    }
  }

  @Override
  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(folder.resolve(name));
  }

  @Override
  public void write(String name, byte[] content) throws IOException {
    Path path = folder.resolve(name);
    Path parent = path.getParent();
    if (parent == null) {
      throw new IOException("an object needs a folder: " + name);
    }
    Path part = path.resolveSibling(path.getFileName() + PART);
    Files.deleteIfExists(part);
    try {
      if (!Files.isDirectory(parent)) {
        disk.createFolder(parent);
      }
      try (Disk.File file = disk.create(part)) {
        file.write(ByteBuffer.wrap(content), 0);
        file.force();
      }
      disk.rename(part, path);
    } catch (DiskFullException full) {
      discard(part);
      throw new FullStoreException(place(), full);
    } catch (IOException failed) {
      discard(part);
      throw failed;
    }
    disk.forceFolder(parent);
  }

  /** Gives the room of a part back. */
  private static void discard(Path part) {
    try {
      Files.deleteIfExists(part);
    } catch (IOException stays) {
      // It is no object, and the next write of its object replaces it.
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(folder.resolve(name));
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
