package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A machine with a disk in memory that can lose its power. Its rules:
 *
 * <ul>
 *   <li>What was written and not forced is lost or kept by the sector (512 bytes), each at random;
 *       so is the file's new length.
 *   <li>A created, renamed or deleted name whose folder was not forced is lost or kept, each
 *       independently of the others; a rename is one thing: both names change or neither does.
 *   <li>A name may be kept while the content of its file is lost.
 *   <li>A force that fails leaves its pages clean: each sector is on disk or not, no later force
 *       writes it, and it reads as written until the power is lost. Only writing it again makes it
 *       dirty again.
 *   <li>Reading shows everything written, as the page cache does; a process that dies ({@link
 *       #kill}) loses none of it, and forces none of it.
 *   <li>The machine can be set to stop at the n-th operation that changes something: that one is
 *       done in part, wholly or not at all, and every later one fails.
 * </ul>
 *
 * <p>A {@link Lie} breaks one of a real disk's promises. No log can be correct on such a disk, and
 * the tests must notice.
 *
 * <p>Thread-safe by one lock, its own, which also guards its {@link PowerLossFolder folders} and
 * {@link PowerLossFile files}.
 */
public final class PowerLossDisk {
  /** An operation that the disk reports as done and has not done. */
  public enum Lie {
    NONE,
    /** Forcing a file does nothing. */
    FILE_FORCE,
    /** Forcing a folder does nothing. */
    FOLDER_FORCE,
    /**
     * Forcing a file covers only what was there at the force before, so completions come too early.
     */
    LATE_FORCE,
    /**
     * The first force of a file that was opened, not created, does nothing: recovery's force is
     * lost.
     */
    FIRST_FORCE,
    /**
     * Writing bytes that are there already does nothing, as if recovery did not write them again.
     */
    SAME_BYTES
  }

  private final Random random;
  private final Lie lie;
  private final Map<Path, PowerLossFolder> folders = new HashMap<>();
  private @Nullable Process running;
  private long operations;

  public PowerLossDisk(long seed, Lie lie) {
    this.random = new Random(seed);
    this.lie = lie;
  }

  /** The disk as a newly started process sees it. The process before must have ended. */
  public synchronized Process boot() {
    if (running != null && !running.down) {
      throw new IllegalStateException("the machine is running");
    }
    running = new Process();
    return running;
  }

  /** Kills the process; the machine lives on. */
  synchronized void kill() {
    if (running != null) {
      running.down = true;
    }
  }

  /** Cuts the machine's power. What was not forced is lost, kept or torn. */
  public synchronized void losePower() {
    kill();
    double keepName = odds();
    double keepSector = odds();
    for (PowerLossFolder folder : folders.values()) {
      folder.losePower(keepName, keepSector, random);
    }
  }

  /** How many operations have changed something so far. */
  synchronized long operations() {
    return operations;
  }

  private double odds() {
    return new double[] {0, 0.1, 0.5, 0.9, 1}[random.nextInt(5)];
  }

  /** The disk as one process sees it, until it is down. */
  public final class Process implements Disk {
    private boolean down;
    private long left = Long.MAX_VALUE;
    private @Nullable String failing;
    private int forcesLeft;

    /** Fails each force of a file on the thread of that name, after that many forces there. */
    void failForces(String thread, int after) {
      synchronized (PowerLossDisk.this) {
        failing = thread;
        forcesLeft = after;
      }
    }

    private boolean failsForce() {
      return Thread.currentThread().getName().equals(failing) && forcesLeft-- <= 0;
    }

    /** Makes the machine go down at that operation from now: 1 is the next. */
    public void goDownAt(long operation) {
      synchronized (PowerLossDisk.this) {
        left = operation;
      }
    }

    boolean isDown() {
      synchronized (PowerLossDisk.this) {
        return down;
      }
    }

    @Override
    public void createFolder(Path folder) throws IOException {
      change(() -> folders.computeIfAbsent(folder, path -> new PowerLossFolder()));
    }

    @Override
    public List<String> list(Path folder) throws IOException {
      synchronized (PowerLossDisk.this) {
        up();
        return folder(folder).names();
      }
    }

    @Override
    public File create(Path path) throws IOException {
      PowerLossFile file = new PowerLossFile();
      change(() -> folder(path.getParent()).create(path, file));
      return new Handle(this, file, true, false);
    }

    @Override
    public File open(Path path) throws IOException {
      return handle(path, true);
    }

    @Override
    public File openForReading(Path path) throws IOException {
      return handle(path, false);
    }

    private File handle(Path path, boolean writable) throws IOException {
      synchronized (PowerLossDisk.this) {
        up();
        return new Handle(this, folder(path.getParent()).file(path), writable, writable);
      }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      change(() -> folder(from.getParent()).rename(from, to));
    }

    @Override
    public void delete(Path path) throws IOException {
      change(() -> folder(path.getParent()).delete(path));
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
      change(
          () -> {
            if (lie != Lie.FOLDER_FORCE) {
              folder(folder).force();
            }
          });
    }

    private void up() throws IOException {
      if (down) {
        throw new IOException("the machine is down");
      }
    }

    /** Does an operation, or does not when the machine goes down in it. */
    private void change(Work work) throws IOException {
      synchronized (PowerLossDisk.this) {
        if (!goesOn() && random.nextBoolean()) {
          up();
        }
        work.run();
        up();
      }
    }

    /** Counts an operation; false when it is the one in which the machine goes down. */
    private boolean goesOn() throws IOException {
      up();
      operations++;
      if (--left == 0) {
        down = true;
      }
      return !down;
    }
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private final class Handle implements Disk.File {
    private static final int DONE = 0;
    private static final int FAILED = 1;

    private final Process process;
    private final PowerLossFile file;
    private final boolean writable;
    private boolean liesNext;
    private boolean closed;

    Handle(Process process, PowerLossFile file, boolean writable, boolean opened) {
      this.process = process;
      this.file = file;
      this.writable = writable;
      this.liesNext = opened && lie == Lie.FIRST_FORCE;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      byte[] bytes = new byte[source.remaining()];
      source.get(bytes);
      synchronized (PowerLossDisk.this) {
        usable();
        if (!writable) {
          throw new IOException("opened for reading");
        }
        int done = process.goesOn() ? bytes.length : random.nextInt(bytes.length + 1);
        if (lie != Lie.SAME_BYTES || !file.shows((int) position, bytes)) {
          file.write((int) position, bytes, done);
        }
        process.up();
      }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      synchronized (PowerLossDisk.this) {
        usable();
        return file.read(target, (int) position);
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (PowerLossDisk.this) {
        usable();
        if (process.failsForce()) {
          file.failForce(0, random);
          throw new IOException("Input/output error");
        }
        int outcome = process.goesOn() ? DONE : random.nextInt(3);
        if (outcome == FAILED) {
          file.failForce(odds(), random);
        } else if (outcome == DONE && !liesNext && lie != Lie.FILE_FORCE) {
          file.force(lie == Lie.LATE_FORCE);
        }
        liesNext = false;
        process.up();
      }
    }

    @Override
    public long size() throws IOException {
      synchronized (PowerLossDisk.this) {
        usable();
        return file.length();
      }
    }

    @Override
    public void close() {
      closed = true;
    }

    private void usable() throws IOException {
      process.up();
      if (closed) {
        throw new IOException("closed");
      }
    }
  }

  private PowerLossFolder folder(@Nullable Path path) throws NoSuchFileException {
    PowerLossFolder folder = folders.get(path);
    if (folder == null) {
      throw new NoSuchFileException(String.valueOf(path));
    }
    return folder;
  }
}
