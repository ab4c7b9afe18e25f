package gilmok.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** An input that is read no faster than at a rate, and counts what was read. For one thread. */
final class PacedInput extends InputStream {
  private static final int PIECE_BYTES = 64 << 10;
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A wait that is not worth waking up for. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** What a slow reader may catch up with at once. */
  private static final long BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final InputStream in;
  private final Pace pace;

  /** What is read broke off, and may be asked for again. */
  static final class BrokenException extends IOException {
    private static final long serialVersionUID = 1L;

    BrokenException(IOException cause) {
      super(cause);
    }
  }

  /** One rate for many inputs, which are read one after the other. */
  static final class Pace {
    private final double nanosPerByte;
    private final AtomicLong read = new AtomicLong();
    private long dueNanos = System.nanoTime();

    Pace(long bytesPerSecond) {
      nanosPerByte = SECOND / bytesPerSecond;
    }

    /** How many bytes were read; from any thread. */
    long read() {
      return read.get();
    }

    private void took(int bytes) throws IOException {
      read.addAndGet(bytes);
      long now = System.nanoTime();
      dueNanos = Math.max(dueNanos, now - BEHIND_NANOS) + (long) (bytes * nanosPerByte);
      while (dueNanos - now > LEAST_NANOS) {
        LockSupport.parkNanos(dueNanos - now);
        if (Thread.interrupted()) {
          throw new InterruptedIOException();
        }
        now = System.nanoTime();
      }
    }
  }

  PacedInput(InputStream in, Pace pace) {
    this.in = in;
    this.pace = pace;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read;
    try {
      read = in.read(target, offset, Math.min(length, PIECE_BYTES));
    } catch (IOException broken) {
      throw new BrokenException(broken);
    }
    if (read > 0) {
      pace.took(read);
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
