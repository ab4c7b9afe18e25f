package gilmok.erasure;

import gilmok.storage.Checkpoint;
import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

  FileErasures(Path data, Disk disk, String node) throws IOException {
    this.disk = disk;
    this.node = node;
    folder = data.resolve(FOLDER);
    disk.createFolder(folder);
  }

  @Override
  public synchronized void add(Erasure erasure) throws IOException, InterruptedException {
    write(erasure.with(node, NodeErasure.BEGIN), OPEN);
  }

  @Override
  public synchronized @Nullable Erasure find(String id) throws IOException {
    Erasure done = read(id, DONE);
    return done == null ? read(id, OPEN) : done;
  }

  @Override
  public synchronized List<Erasure> open() throws IOException {
    List<Erasure> all = new ArrayList<>();
    for (String name : disk.list(folder)) {
      if (name.endsWith(OPEN)) {
        Erasure one = read(name.substring(0, name.length() - OPEN.length()), OPEN);
        if (one == null) {
          throw new IOException(
              folder.resolve(name) + " is damaged: ask for that erasure again, and delete it");
        }
        all.add(one);
      }
    }
    all.sort(Comparator.comparingLong(Erasure::askedAtMillis).thenComparing(Erasure::id));
    return all;
  }

  @Override
  public synchronized void save(Erasure erasure) throws IOException, InterruptedException {
    if (erasure.isDone()) {
      write(erasure.withoutRider(), DONE);
      file(erasure.id(), OPEN)
          .delete(); // after it: a crash between the two does the last step again
    } else {
      write(erasure, OPEN);
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
