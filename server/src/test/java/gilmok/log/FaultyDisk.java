package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk on which chosen operations fail. Its rules: the {@link Fault} is called before every
 * operation and throws if it must fail; a {@link TornWrite} lets half of a write through first;
 * reads return at most {@link #readBytesMax} bytes at once. Everything else goes to the disk below.
 */
public final class FaultyDisk extends ForwardingDisk {
  /** The operation that is about to be done. */
  public enum Operation {
    CREATE_FOLDER,
    CREATE,
    OPEN,
    READ,
    WRITE,
    FORCE,
    RENAME,
    DELETE,
    FORCE_FOLDER
  }

  /** Decides which operations fail. */
  @FunctionalInterface
  public interface Fault {
    void strike(Operation operation, Path path) throws IOException;
  }

  /** A write of which half reached the disk. */
  static final class TornWrite extends IOException {
    private static final long serialVersionUID = 1L;
  }

  public static final Fault NONE = (operation, path) -> {};

  private volatile Fault fault = NONE;
  private volatile int readBytesMax = Integer.MAX_VALUE;

  public FaultyDisk(Disk disk) {
    super(disk);
  }

  public void set(Fault fault) {
    this.fault = fault;
  }

  /** Fails these operations on the thread of that name until another fault is set. */
  void fail(String thread, Operation... operations) {
    set(
        (operation, path) -> {
          if (isOn(thread) && List.of(operations).contains(operation)) {
            throw new IOException("no " + operation + " on " + path);
          }
        });
  }

  static boolean isOn(String thread) {
    return Thread.currentThread().getName().equals(thread);
  }

  void readAtMost(int bytes) {
    readBytesMax = bytes;
  }

  @Override
  public void createFolder(Path folder) throws IOException {
    fault.strike(Operation.CREATE_FOLDER, folder);
    super.createFolder(folder);
  }

  @Override
  public File create(Path path) throws IOException {
    fault.strike(Operation.CREATE, path);
    return new FaultyFile(super.create(path), path);
  }

  @Override
  public File open(Path path) throws IOException {
    fault.strike(Operation.OPEN, path);
    return new FaultyFile(super.open(path), path);
  }

  @Override
  public File openForReading(Path path) throws IOException {
    fault.strike(Operation.OPEN, path);
    return new FaultyFile(super.openForReading(path), path);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    fault.strike(Operation.RENAME, to);
    super.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    fault.strike(Operation.DELETE, path);
    super.delete(path);
  }

  @Override
  public void forceFolder(Path folder) throws IOException {
    fault.strike(Operation.FORCE_FOLDER, folder);
    super.forceFolder(folder);
  }

  private final class FaultyFile implements File {
    private final File file;
    private final Path path;

    FaultyFile(File file, Path path) {
      this.file = file;
      this.path = path;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      try {
        fault.strike(Operation.WRITE, path);
      } catch (TornWrite torn) {
        file.write(source.duplicate().limit((source.position() + source.limit()) / 2), position);
        throw torn;
      }
      file.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      fault.strike(Operation.READ, path);
      int limit = target.limit();
      target.limit((int) Math.min(limit, (long) target.position() + readBytesMax));
      try {
        return file.read(target, position);
      } finally {
        target.limit(limit);
      }
    }

    @Override
    public void force() throws IOException {
      fault.strike(Operation.FORCE, path);
      file.force();
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
