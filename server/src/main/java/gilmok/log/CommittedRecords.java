package gilmok.log;

import java.nio.ByteBuffer;

/**
 * The records of a group that was committed, one after the other.
 *
 * <p>Not thread-safe: the log's writer thread reuses it.
 */
public final class CommittedRecords {
  private final LogEntry entry = new LogEntry();
  private ByteBuffer batch = ByteBuffer.allocate(0);
  private int next;

  void begin(ByteBuffer committed) {
    batch = committed;
    next = BatchFormat.HEADER_BYTES;
  }

  /** The last sequence of the group. */
  public long last() {
    return batch.getLong(BatchFormat.FIRST_SEQUENCE_AT) + batch.getInt(BatchFormat.COUNT_AT) - 1;
  }

  /** When it was written, epoch ms: when its records were received. */
  public long receivedAtMillis() {
    return batch.getLong(BatchFormat.TIME_AT);
  }

  /** Moves to the next record; false when there is none. */
  public boolean next() {
    if (!entry.read(batch, next, batch.limit())) {
      return false;
    }
    next = entry.offset + entry.length;
    return true;
  }

  /** The stream that the record belongs to. */
  public Stream stream() {
    return entry.stream;
  }

  /** The buffer that has the record. */
  public ByteBuffer bytes() {
    return batch;
  }

  /** Where in {@link #bytes} the record begins. */
  public int offset() {
    return entry.offset;
  }

  /** How many bytes it has. */
  public int length() {
    return entry.length;
  }
}
