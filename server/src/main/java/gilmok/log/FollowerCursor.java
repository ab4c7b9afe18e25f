package gilmok.log;

import gilmok.background.BackgroundLoop;
import java.io.IOException;

/**
 * Where a follower reads, and up to where all is settled. Belongs to the follower's thread, but for
 * {@link #position}.
 */
final class FollowerCursor implements AutoCloseable {
  private final Log log;
  private final BackgroundLoop loop;
  private LogReader reader;

  /** All up to there is settled. */
  private volatile long position;

  /** All up to there was read. */
  private long read;

  /** Begins behind that sequence. */
  FollowerCursor(Log log, BackgroundLoop loop, long behind) {
    this.log = log;
    this.loop = loop;
    position = behind;
    read = behind;
    reader = log.reader(behind + 1);
  }

  /** All up to that sequence is settled. From any thread. */
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

  /** All that was read is settled. */
  void settled() {
    position = read;
  }

  /** Goes on to the next record; false at the log's end. */
  boolean next() throws IOException {
    boolean hasEnded = false;
    try {
      boolean isOne = reader.next();
      hasEnded = true;
      if (isOne) {
        read = reader.sequence();
      }
      return isOne;
    } finally {
      if (!hasEnded) { // whatever was thrown: the reader may stand anywhere
        reopen(read);
      }
    }
  }

  /** Has the record that was read last read once more. */
  void stepBack() {
    reopen(read - 1);
  }

  /** Begins behind that sequence again, up to which all is settled, or let go. */
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
