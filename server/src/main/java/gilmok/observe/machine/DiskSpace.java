package gilmok.observe.machine;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The size of the disks that folders are on, and what is free of it. A background loop asks, as a
 * network's disk that hangs must not keep metrics from being answered. Thread-safe.
 */
public final class DiskSpace implements AutoCloseable {
  private static final long LOOK_NANOS = 5_000_000_000L;
  private static final Duration END = Duration.ofMillis(100);

  private final List<Disk> disks;
  private final BackgroundLoop loop;

  /** The disk of a folder; not known before the first look. */
  private static final class Disk {
    private final Path folder;
    private volatile double bytes = Double.NaN;
    private volatile double freeBytes = Double.NaN;

    /** Kept, as finding it reads the list of all mounts; found again once the folder is made. */
    private @Nullable FileStore store;

    Disk(Path folder) {
      this.folder = folder;
    }

    void look() throws IOException {
      FileStore known = store;
      if (known == null) {
        Path there = folder;
        while (!Files.exists(there) && there.getParent() != null) { // not made yet
          there = there.getParent();
        }
        known = Files.getFileStore(there);
        store = there.equals(folder) ? known : null;
      }
      freeBytes = known.getUsableSpace();
      bytes = known.getTotalSpace();
    }
  }

  /** Looks at these folders from now on, each five seconds. */
  public DiskSpace(Collection<Path> folders, Meters meters, BackgroundLoops loops) {
    disks = folders.stream().distinct().map(Disk::new).toList();
    for (Disk disk : disks) {
      String folder = disk.folder.toString();
      meters.gauge(
          "gilmok_disk_free_bytes",
          "What is free of a folder's disk.",
          () -> disk.freeBytes,
          "folder",
          folder);
      meters.gauge(
          "gilmok_disk_bytes", "The size of a folder's disk.", () -> disk.bytes, "folder", folder);
    }
    loop = loops.optional("disk-space", "what is free of the disks is not known", this::look);
    loop.start();
  }

  private long look() throws IOException {
    @Nullable IOException cannot = null;
    for (Disk disk : disks) {
      try {
        disk.look();
      } catch (IOException e) {
        cannot = e; // the others go on
      }
    }
    if (cannot != null) {
      throw cannot;
    }
    return LOOK_NANOS;
  }

  @Override
  public void close() {
    try {
      loop.stop(END);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
