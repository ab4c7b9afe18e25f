package gilmok.lab.torture;

import gilmok.lab.ScratchFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the data folder lies on: a plain folder or, where root allows, a small ext4 file system of
 * its own in a file, whose power can be cut and which can be filled. Not thread-safe but for {@link
 * #close}; blocks.
 */
final class Ground implements AutoCloseable {
  private static final String IMAGE_SIZE = "768m";
  private static final int BLOCK = 1 << 20;
  private static final int SMALL_BLOCK = 1 << 12;
  private static final int UNMOUNT_TRIES = 50;

  /** Without its journal being written, and so without anything that was not forced. */
  private static final String CUT =
      "import fcntl,os,struct,sys;"
          + "fcntl.ioctl(os.open(sys.argv[1],os.O_RDONLY),0x8004587D,struct.pack('I',2))";

  private final Path work;
  private final Path folder;
  private final @Nullable Path image;
  private final Path ballast;
  private boolean isMounted;

  private Ground(Path work, @Nullable Path image) {
    this.work = work;
    this.image = image;
    this.folder = work.resolve("ground");
    this.ballast = folder.resolve("ballast");
  }

  /** A plain folder below the other. */
  static Ground plain(Path work) throws IOException {
    Ground ground = new Ground(work, null);
    Files.createDirectories(ground.folder);
    return ground;
  }

  /** A file system of its own, mounted below the folder. */
  static Ground image(Path work) throws IOException, InterruptedException {
    Path image = work.resolve("disk.ext4");
    Ground ground = new Ground(work, image);
    Files.createDirectories(ground.folder);
    Shell.must("truncate", "-s", IMAGE_SIZE, image.toString());
    Shell.must("mkfs.ext4", "-q", "-F", "-m", "0", "-J", "size=16", image.toString());
    ground.mount();
    return ground;
  }

  /** Whether file systems can be mounted here, and what forbids it if not. */
  static @Nullable String whyNoImage(Path work) throws IOException, InterruptedException {
    Path tried = ScratchFolder.create(work, "ground-");
    try (Ground ground = image(tried)) {
      ground.cut();
      ground.remount();
      return null;
    } catch (IOException refused) {
      String text = String.valueOf(refused.getMessage());
      return text.substring(text.lastIndexOf(": ") + 1).strip();
    } finally {
      ScratchFolder.delete(tried);
    }
  }

  /** Where the data folder is. */
  Path data() {
    return folder.resolve("data");
  }

  boolean isImage() {
    return image != null;
  }

  /** The power is gone: what was not forced is lost. Nothing can be written until remounted. */
  void cut() throws IOException, InterruptedException {
    Shell.must("python3", "-c", CUT, folder.toString());
  }

  /** The power is back; nobody may have a file of it open. */
  void remount() throws IOException, InterruptedException {
    unmount();
    mount();
  }

  /** Takes all the space there is. */
  void fill() throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(BLOCK);
    try (FileChannel file =
        FileChannel.open(ballast, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int size = BLOCK; size >= SMALL_BLOCK; size /= 16) {
        writeUntilFull(file, zeros, size);
      }
    }
  }

  private static void writeUntilFull(FileChannel file, ByteBuffer zeros, int size) {
    try {
      while (true) {
        zeros.clear().limit(size);
        file.write(zeros);
        if (zeros.hasRemaining()) {
          return;
        }
      }
    } catch (IOException full) {
      // As was wanted.
    }
  }

  /** Gives the space back. */
  void empty() throws IOException {
    Files.deleteIfExists(ballast);
  }

  /** Copies the data folder to where it can be looked at later. */
  void keep(Path where) throws IOException, InterruptedException {
    Files.createDirectories(where);
    Shell.must("cp", "-a", folder.toString(), where.toString());
  }

  private synchronized void mount() throws IOException, InterruptedException {
    Shell.must("mount", "-o", "loop", String.valueOf(image), folder.toString());
    isMounted = true;
  }

  /** Patiently: who was killed may have a file open for a moment yet. */
  private synchronized void unmount() throws IOException, InterruptedException {
    for (int i = 1; isMounted; i++) {
      try {
        Shell.must("umount", folder.toString());
        isMounted = false;
      } catch (IOException busy) {
        if (i == UNMOUNT_TRIES) {
          throw busy;
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  /** Unmounts it, if need be lazily, and deletes all of it. */
  @Override
  public synchronized void close() throws IOException {
    try {
      unmount();
    } catch (IOException busy) {
      lazily();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      lazily();
    }
    if (!isMounted && Files.exists(folder)) {
      ScratchFolder.delete(folder);
    }
    if (image != null) {
      Files.deleteIfExists(image);
    }
  }

  private void lazily() throws IOException {
    try {
      Shell.must("umount", "-l", folder.toString());
      isMounted = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return image == null ? "a plain folder below " + work : "an ext4 of its own below " + work;
  }
}
