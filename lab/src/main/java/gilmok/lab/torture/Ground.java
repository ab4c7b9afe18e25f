package gilmok.lab.torture;

import gilmok.lab.ScratchFolder;
import gilmok.lab.Shell;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The file system under the data folder: a plain folder or, if run by root, a small ext4 file
 * system in a file, which can lose its power and can be filled. Thread-safe: its methods exclude
 * each other; they block.
 */
final class Ground implements AutoCloseable {
  private static final String IMAGE_SIZE = "768m";

  /** Large enough to try whether it can be mounted. */
  static final String SMALL_IMAGE_SIZE = "64m";

  private static final int BLOCK = 1 << 20;
  private static final int SMALL_BLOCK = 1 << 12;
  private static final int UNMOUNT_TRIES = 50;

  /**
   * The kernel's shutdown of a file system without writing its journal, so that everything that was
   * not forced is lost.
   */
  private static final String CUT =
      "import fcntl,os,struct,sys;"
          + "fcntl.ioctl(os.open(sys.argv[1],os.O_RDONLY),0x8004587D,struct.pack('I',2))";

  private final Path work;
  private final Path folder;
  private final @Nullable Path image;
  private final @Nullable Unforced unforced;
  private final Path ballast;
  private final List<Process> users = new ArrayList<>();
  private boolean isMounted;

  /** Ends the server. */
  @FunctionalInterface
  interface Ending {
    void run() throws IOException, InterruptedException;
  }

  private Ground(Path work, @Nullable Path image, @Nullable Unforced unforced) {
    this.work = work;
    this.image = image;
    this.folder = work.resolve("ground");
    this.unforced = unforced;
    this.ballast = folder.resolve("ballast");
  }

  /** A plain folder. */
  static Ground plain(Path work) throws IOException {
    Ground ground = new Ground(work, null, null);
    Files.createDirectories(ground.folder);
    return ground;
  }

  /** A plain folder on a simulated disk that forgets. */
  static Ground forgetting(Path work) throws IOException, InterruptedException {
    Unforced unforced = new Unforced(work, work.resolve("ground").resolve("data"));
    unforced.use();
    Ground ground = new Ground(work, null, unforced);
    Files.createDirectories(ground.folder);
    return ground;
  }

  /** A file system of its own, mounted below the folder. */
  static Ground image(Path work) throws IOException, InterruptedException {
    return image(work, IMAGE_SIZE);
  }

  static Ground image(Path work, String size) throws IOException, InterruptedException {
    Path image = work.resolve("disk.ext4");
    Ground ground = new Ground(work, image, null);
    Files.createDirectories(ground.folder);
    Shell.must("truncate", "-s", size, image.toString());
    Shell.must("mkfs.ext4", "-q", "-F", "-m", "0", "-J", "size=16", image.toString());
    ground.mount();
    return ground;
  }

  /** The reason why no file system can be mounted here; null if one can. */
  static @Nullable String whyNoImage(Path work) throws IOException, InterruptedException {
    Path tried = ScratchFolder.create(work, "ground-");
    try (Ground ground = image(tried, SMALL_IMAGE_SIZE)) {
      return ground.whyNothingIsLost();
    } catch (IOException refused) {
      String text = String.valueOf(refused.getMessage());
      return text.substring(text.lastIndexOf(": ") + 1).strip();
    } finally {
      ScratchFolder.delete(tried);
    }
  }

  /**
   * What is wrong with power cuts here: forced data must survive, other data must not. Null if they
   * work.
   */
  private @Nullable String whyNothingIsLost() throws IOException, InterruptedException {
    Path forced = folder.resolve("forced");
    Path written = folder.resolve("written");
    Files.writeString(forced, "forced");
    for (Path one : List.of(forced, folder)) {
      try (FileChannel channel = FileChannel.open(one, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
    Files.writeString(written, "written");
    losePower(0, () -> {});
    if (!Files.exists(forced) || !Files.readString(forced).equals("forced")) {
      return "a power cut takes what was forced";
    }
    return Files.exists(written) && Files.size(written) > 0
        ? "a power cut takes nothing of what was not forced"
        : null;
  }

  /** The data folder. */
  Path data() {
    return folder.resolve("data");
  }

  /** The environment variables that a server on it needs. */
  Map<String, String> environment() {
    return unforced == null ? Map.of() : unforced.environment();
  }

  /** Adds a process of the rig that has a file of it open: a power cut must end it too. */
  synchronized void usedBy(Process process) {
    users.removeIf(user -> !user.isAlive());
    users.add(process);
  }

  /**
   * Cuts the power and restores it: everything that was not forced is lost. The disk cannot be
   * filled meanwhile.
   *
   * <p>The server is stopped first, because a machine without power answers nothing. The kernel
   * lets an fdatasync in progress succeed although the journal is no longer written; a response
   * sent on that would be lost by the kernel, not by the server.
   *
   * @param server its process id; 0 if there is none
   * @param ending ends every other process with an open file, while the power is off
   * @return what was lost, as far as known
   * @throws DidNotTakeException when the file system could still be written
   */
  synchronized String losePower(long server, Ending ending)
      throws IOException, InterruptedException {
    Fault.Hang.stop(server);
    if (image != null) {
      Shell.must("python3", "-c", CUT, folder.toString());
    }
    boolean isOn = image != null && isWritable();
    ending.run();
    for (Process user : users) {
      user.destroyForcibly().waitFor();
    }
    users.clear();
    if (image != null) {
      unmount();
      mount();
    }
    if (isOn) {
      throw new DidNotTakeException("the file system was written to without power");
    }
    return unforced == null ? "" : unforced.forget() + " writes taken back";
  }

  private boolean isWritable() {
    try {
      Files.createFile(folder.resolve("without-power"));
      return true;
    } catch (IOException off) {
      return false;
    }
  }

  /**
   * Fills the disk.
   *
   * @throws DidNotTakeException when space is left
   */
  synchronized void fill() throws IOException {
    if (!isMounted) {
      throw new DidNotTakeException("it has no file system of its own");
    }
    ByteBuffer zeros = ByteBuffer.allocate(BLOCK);
    try (FileChannel file =
        FileChannel.open(ballast, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int size = BLOCK; size >= SMALL_BLOCK; size /= 16) {
        writeUntilFull(file, zeros, size);
      }
    }
  }

  private static void writeUntilFull(FileChannel file, ByteBuffer zeros, int size)
      throws DidNotTakeException {
    try {
      while (true) {
        zeros.clear().limit(size);
        file.write(zeros);
        if (zeros.hasRemaining()) {
          return;
        }
      }
    } catch (IOException full) {
      if (!String.valueOf(full.getMessage()).contains("No space left")) {
        throw new DidNotTakeException("it is not full, but: " + full);
      }
    }
  }

  /**
   * Frees the space and forces that, because a power cut would bring back files that were only
   * deleted.
   */
  synchronized void empty() throws IOException {
    if (Files.deleteIfExists(ballast)) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** Copies the data folder for a later examination. */
  void keep(Path where) throws IOException, InterruptedException {
    Files.createDirectories(where);
    Shell.must("cp", "-a", folder.toString(), where.toString());
  }

  private synchronized void mount() throws IOException, InterruptedException {
    Shell.must("mount", "-o", "loop", String.valueOf(image), folder.toString());
    isMounted = true;
  }

  /** Unmounts with retries: a killed process may have a file open for a moment. */
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

  /** Unmounts it, lazily if necessary, and deletes everything. */
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
