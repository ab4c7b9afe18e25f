package gilmok.log;

import gilmok.background.BackgroundLoop;
import java.io.IOException;

/**
 * The position of a follower: what it has read, and up to where all is settled. Owned by the
 * follower's thread, but for {@link #position}.
 */
final class FollowerCursor implements AutoCloseable {
  private final Log log;
  private final BackgroundLoop loop;
  private LogReader reader;

  /** Everything up to this sequence is settled. */
  private volatile long position;

  /** Everything up to this sequence was read. */
  private long read;

  /** The tombstones that were passed since they were asked for. */
  private final StreamCounts erased = new StreamCounts();

  /** Begins after {@code behind}. */
  FollowerCursor(Log log, BackgroundLoop loop, long behind) {
    this.log = log;
    this.loop = loop;
    position = behind;
    read = behind;
    reader = log.reader(behind + 1);
  }

  /** Everything up to this sequence is settled. From any thread. */
  long position() {
    return position;
  }

  /** The last sequence that was read. */
  long read() {
    return read;
  }

  /** The record that was read last. */
  LogReader record() {
    return reader;
  }

  /** Marks everything that was read as settled. */
  void settled() {
    position = read;
  }

  /** Moves to the next record; false at the log's end. */
  boolean next() throws IOException {
    boolean hasEnded = false;
    try {
      boolean isOne = reader.nextEntry();
      while (isOne && reader.isErased()) {
        erased.add(reader.stream());
        read = reader.sequence(); // so that none is counted twice
        isOne = reader.nextEntry();
      }
      hasEnded = true;
      // At the end of the log there may be sequences without records.
      read = isOne ? reader.sequence() : Math.max(read, reader.passed());
      return isOne;
    } finally {
      if (!hasEnded) { // after any exception, the reader's place is unknown
        reopen(read);
      }
    }
  }

  /** How many tombstones of a stream were passed since the last call. */
  int passedErased(Stream stream) {
    long passed = erased.of(stream);
    erased.add(stream, -passed);
    return (int) passed;
  }

  /** Makes the last record be read again. */
  void stepBack() {
    reopen(read - 1);
  }

  /** Begins again after {@code behind}: everything up to it is settled, or was given up. */
  void again(long behind) {
    position = behind;
    reopen(behind);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private void reopen(long behind) {
    try {
      reader.close();
    } catch (IOException unclosed) {
      loop.partlyFailed(unclosed);
    }
    reader = log.reader(behind + 1);
    read = behind;
  }
}
