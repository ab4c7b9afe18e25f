package gilmok.documents;

import gilmok.storage.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A copy of the documents while they are in use; see {@link SqliteDatabase#copyTo}. No state. */
public final class SqliteCopy {
  /** How many pages of 4 KiB are copied at once: 1 MiB. */
  static final int STEP_PAGES = 256;

  private static final long PAGE_BYTES = 4096;
  private static final long FORCE_EVERY_BYTES = 64L << 20;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LOOK_NANOS = NANOS / 10;

  private SqliteCopy() {}

  /** Is told how a copy goes. Called on its thread; must not throw. */
  public interface Watch {
    /** From now on nothing of what is written belongs to the copy. */
    void settled();

    /** So many bytes of so many are copied. */
    void copied(long bytes, long of);
  }

  /**
   * What happens between two steps: the copy keeps its pace unless it is urgent, and is forced
   * piece by piece, so that no large force makes others wait for the disk. Owned by the copy's
   * thread.
   */
  static final class Steps implements AutoCloseable {
    private final Watch watch;
    private final long bytesPerSecond;
    private final BooleanSupplier isUrgent;
    private final FileChannel target;
    private long beganNanos;
    private long forcedBytes;
    private @Nullable IOException failure;

    Steps(Path target, Watch watch, long bytesPerSecond, BooleanSupplier isUrgent)
        throws IOException {
      this.watch = watch;
      this.bytesPerSecond = bytesPerSecond;
      this.isUrgent = isUrgent;
      Files.createFile(target, OwnerOnly.FILE);
      // Closed last: SQLite's locks on a file go when this process closes any descriptor of it.
      this.target = FileChannel.open(target, StandardOpenOption.WRITE);
    }

    void begins() {
      beganNanos = System.nanoTime();
      watch.settled();
    }

    void copied(int leftPages, int allPages) {
      long bytes = (allPages - leftPages) * PAGE_BYTES;
      watch.copied(bytes, allPages * PAGE_BYTES);
      if (bytes - forcedBytes >= FORCE_EVERY_BYTES && failure == null) {
        forcedBytes = bytes;
        try {
          target.force(false);
        } catch (IOException cannot) { // native code is below: said at the end
          failure = cannot;
        }
      }
      long dueNanos = (long) ((double) bytes / bytesPerSecond * NANOS);
      long left = beganNanos + dueNanos - System.nanoTime();
      while (left > 0 && !isUrgent.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
        left = beganNanos + dueNanos - System.nanoTime();
      }
    }

    /** Makes the copy durable. */
    void end() throws IOException {
      if (failure != null) {
        throw failure;
      }
      target.force(true);
    }

    @Override
    public void close() throws IOException {
      target.close();
    }
  }
}
