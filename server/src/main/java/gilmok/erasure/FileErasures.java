package gilmok.erasure;

import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The erasures of a node that has its documents for itself: files of the folder {@code erasures} in
 * the data folder. One that goes on is {@code ID.open}; its certificate is {@code ID.done}, and has
 * no rider's id. Thread-safe; calls block.
 */
final class FileErasures implements ErasureStore {
  /** The folder in the data folder. */
  static final String FOLDER = "erasures";

  private static final String OPEN = ".open";
  private static final String DONE = ".done";

  private final Disk disk;
  private final Path folder;
  private final String node;

  /** Those that go on, by id. */
  private final Map<String, Erasure> open = new TreeMap<>();

  /**
   * Reads those that go on.
   *
   * @throws IOException when one of them cannot be read or is damaged
   */
  FileErasures(Path data, Disk disk, String node) throws IOException {
    this.disk = disk;
    this.node = node;
    folder = data.resolve(FOLDER);
    disk.createFolder(folder);
    for (String name : disk.list(folder)) {
      if (name.endsWith(OPEN)) {
        String id = name.substring(0, name.length() - OPEN.length());
        Erasure one = read(id, OPEN);
        if (one == null) {
          throw new IOException(
              folder.resolve(name) + " is damaged: delete it, and ask for that erasure again");
        }
        open.put(id, one);
      }
    }
  }

  @Override
  public synchronized void add(Erasure erasure) throws IOException, InterruptedException {
    Erasure begun = erasure.with(node, NodeErasure.BEGIN);
    write(begun, OPEN);
    open.put(begun.id(), begun);
  }

  @Override
  public synchronized @Nullable Erasure find(String id) throws IOException {
    Erasure going = open.get(id);
    return going == null ? read(id, DONE) : going;
  }

  @Override
  public synchronized List<Erasure> open() {
    return open.values().stream()
        .sorted(Comparator.comparingLong(Erasure::askedAtMillis).thenComparing(Erasure::id))
        .toList();
  }

  @Override
  public synchronized void save(Erasure erasure) throws IOException, InterruptedException {
    if (erasure.isDone()) {
      write(erasure.withoutRider(), DONE);
      file(erasure.id(), OPEN).delete(); // a crash before it does the last step again
      open.remove(erasure.id());
    } else {
      write(erasure, OPEN);
      open.put(erasure.id(), erasure);
    }
  }

  private void write(Erasure erasure, String suffix) throws IOException, InterruptedException {
    byte[] bytes = ErasureJson.bytes(erasure);
    file(erasure.id(), suffix).replace(out -> out.write(bytes));
  }

  private @Nullable Erasure read(String id, String suffix) throws IOException {
    byte[] bytes = file(id, suffix).readBytes();
    return bytes == null ? null : ErasureJson.read(bytes);
  }

  private Checkpoint file(String id, String suffix) {
    return new Checkpoint(disk, folder.resolve(id + suffix));
  }
}
