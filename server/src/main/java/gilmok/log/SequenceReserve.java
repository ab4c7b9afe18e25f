package gilmok.log;

import gilmok.storage.Checkpoint;
import gilmok.storage.NewerFormatException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The mark up to which sequences may be shown to readers before their records are forced. It is
 * made durable ahead of them, so that after a power loss, which may take their records, the log
 * goes on behind it: no sequence that a reader has seen is given to another record.
 *
 * <p>The file is there only while it is needed: a log that closes in order deletes it, and one that
 * never reads early has none. {@link #covers} may be called by any thread; everything else by one
 * thread at a time.
 */
final class SequenceReserve {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  /** How far the mark is moved at once: seconds of the highest rate, in a space of 2^63. */
  static final long STEP = 1 << 22;

  /** The format, which has no number in the file: a newer one begins with its negative. */
  private static final int FORMAT = 1;

  private final Checkpoint file;
  private volatile long through;
  private volatile boolean isWanted;

  SequenceReserve(Checkpoint file) {
    this.file = file;
  }

  /**
   * The sequence behind which an opened log goes on, if it ends earlier; 0 without a mark.
   *
   * @param last the last sequence in the log
   */
  long load(long last) throws IOException {
    if (!file.isThere()) {
      return 0;
    }
    byte[] content = file.readBytes();
    if (content != null && content.length >= Long.BYTES) {
      NewerFormatException.check(file.path(), BigEndian.getLong(content, 0), FORMAT);
    }
    if (content != null && content.length == Long.BYTES) {
      through = BigEndian.getLong(content, 0);
    } else {
      // The mark is never further than that from the end of the log: a step, and one group.
      through = last + 2 * STEP;
      LOGGER.log(
          Level.WARNING,
          "{0} is damaged: sequences go on at {1}, no record is affected",
          file.path(),
          String.valueOf(through + 1));
    }
    return through;
  }

  /** Whether that sequence may be shown before its record is forced; if not, it is wanted soon. */
  boolean covers(long sequence) {
    if (sequence <= through) {
      return true;
    }
    isWanted = true;
    return false;
  }

  /** Moves the mark if sequences were wanted and less than half a step is left. */
  void keepAhead(long last) throws IOException, InterruptedException {
    if (isWanted && through - last < STEP / 2) {
      long next = last + STEP;
      file.replace(out -> out.writeLong(next));
      through = next;
    }
  }

  /** The log was closed in order, so it goes on where it ends. */
  void end() throws IOException {
    through = 0;
    if (file.isThere()) {
      file.delete();
    }
  }
}
