package gilmok.log;

import java.nio.ByteBuffer;

/**
 * The records of a group that was committed, one after the other.
 *
 * <p>Not thread-safe: the log's writer thread reuses it.
 */
public final class CommittedRecords {
  private ByteBuffer batch = ByteBuffer.allocate(0);
  private int limit;
  private int next;
  private int frame;
  private int offset;

  void begin(ByteBuffer committed) {
    batch = committed;
    limit = committed.limit();
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
    if (next >= limit) {
      return false;
    }
    frame = batch.getInt(next); // as it was appended: nothing was erased in it yet
    offset = next + RecordFrame.BYTES;
    next = offset + RecordFrame.length(frame);
    return true;
  }

  /** The stream that the record belongs to. */
  public Stream stream() {
    return RecordFrame.stream(frame);
  }

  /** The buffer that has the record. */
  public ByteBuffer bytes() {
    return batch;
  }

  /** Where in {@link #bytes} the record begins. */
  public int offset() {
    return offset;
  }

  /** How many bytes it has. */
  public int length() {
    return RecordFrame.length(frame);
  }
}
