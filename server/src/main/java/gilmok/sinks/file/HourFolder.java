package gilmok.sinks.file;

import gilmok.shipped.ShippedName;
import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder of an hour, in which files take the place of others so that each record stays in a
 * visible file whatever happens:
 *
 * <ol>
 *   <li>the outputs are written under hidden names, and forced;
 *   <li>the {@link CompactionIntent} is written and forced, with the folder;
 *   <li>the outputs get their names, and the folder is forced;
 *   <li>later, when nobody reads them any more, the inputs are deleted and the folder forced;
 *   <li>the intent is deleted.
 * </ol>
 *
 * <p>After a crash an intent is carried out, and hidden files without one are deleted. Between 3
 * and 4 records are visible twice. Not thread-safe: owned by the compaction's thread.
 */
final class HourFolder {
  private final Disk disk;
  private final Path path;
  private final NodeId node;
  private final ByteBuffer buffer;

  HourFolder(Disk disk, Path path, NodeId node, ByteBuffer buffer) {
    this.disk = disk;
    this.path = path;
    this.node = node;
    this.buffer = buffer;
  }

  Path path() {
    return path;
  }

  /** The published files of this node. */
  List<ShippedName> files() throws IOException {
    List<ShippedName> files = new ArrayList<>();
    for (String name : disk.list(path)) {
      ShippedName shipped = ShippedName.parse(name);
      if (shipped != null && shipped.node().equals(node.toString())) {
        files.add(shipped);
      }
    }
    return files;
  }

  /**
   * After a crash, or a failure: makes the outputs visible of a compaction whose intent is there,
   * or deletes those of one that has none.
   *
   * @return whether there are inputs to delete ({@link #deleteInputs})
   */
  boolean recover() throws IOException {
    CompactionIntent intent = CompactionIntent.read(disk, path, node);
    if (intent == null) {
      clean();
      return false;
    }
    show(intent);
    return true;
  }

  private void clean() throws IOException {
    boolean hasChanged = false;
    for (String name : disk.list(path)) {
      if (CompactionIntent.isHidden(name, node)) {
        disk.delete(path.resolve(name));
        hasChanged = true;
      }
    }
    if (hasChanged) {
      disk.forceFolder(path);
    }
  }

  /** The sizes of files, in bytes. */
  Map<String, Long> sizes(List<ShippedName> files) throws IOException {
    Map<String, Long> sizes = new HashMap<>();
    for (ShippedName file : files) {
      sizes.put(file.toString(), size(file.toString()));
    }
    return sizes;
  }

  private long size(String name) throws IOException {
    try (Disk.File file = disk.openForReading(path.resolve(name))) {
      return file.size();
    }
  }

  /**
   * Lets hidden files that are complete and forced take the place of others.
   *
   * @param inputs with their sizes from before they were read
   */
  void replace(Map<String, Long> inputs, List<String> outputs) throws IOException {
    CompactionIntent intent = new CompactionIntent(inputs, outputs);
    intent.write(disk, path, node, buffer);
    show(intent);
  }

  private void show(CompactionIntent intent) throws IOException {
    Set<String> there = new HashSet<>(disk.list(path));
    for (String output : intent.outputs()) {
      String hidden = CompactionIntent.hidden(output);
      if (there.contains(hidden)) {
        disk.rename(path.resolve(hidden), path.resolve(output));
      }
    }
    disk.forceFolder(path);
  }

  /** Deletes the inputs, and the intent. */
  void deleteInputs() throws IOException {
    CompactionIntent intent = read();
    if (intent == null) {
      return;
    }
    // Somebody may have deleted an output; then the inputs are the only place of its records.
    if (new HashSet<>(disk.list(path)).containsAll(intent.outputs())) {
      for (Map.Entry<String, Long> input : intent.inputs().entrySet()) {
        deleteIfOf(input.getKey(), input.getValue());
      }
      disk.forceFolder(path);
    }
    delete(CompactionIntent.name(node));
    disk.forceFolder(path);
  }

  private @Nullable CompactionIntent read() throws IOException {
    try {
      return CompactionIntent.read(disk, path, node);
    } catch (NoSuchFileException gone) {
      return null; // the folder, by the retention
    }
  }

  /** A rewound sink may have published another file under the name, with more records. */
  private void deleteIfOf(String name, long bytes) throws IOException {
    try {
      if (size(name) == bytes) {
        disk.delete(path.resolve(name));
      }
    } catch (NoSuchFileException deleted) {
      // By the retention.
    }
  }

  private void delete(String name) throws IOException {
    try {
      disk.delete(path.resolve(name));
    } catch (NoSuchFileException deleted) {
      // By the retention.
    }
  }
}
