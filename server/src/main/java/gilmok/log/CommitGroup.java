package gilmok.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The appends that share one fsync: their records, after room for the batch's header, and their
 * completions.
 *
 * <p>Not thread-safe: owned by the log's lock while it gathers, by the writer while it is written.
 */
final class CommitGroup {
  private final ByteBuffer bytes;
  private @Nullable AppendCompletion[] tickets = new AppendCompletion[256];
  private final int[] countByStream = new int[8];
  private int ticketCount;
  private int count;
  private long firstSequence;
  private long firstNanos;
  private boolean rolls;

  CommitGroup(int bytesMax) {
    bytes = ByteBuffer.allocateDirect(BatchFormat.HEADER_BYTES + bytesMax);
    clear();
  }

  void clear() {
    bytes.clear().position(BatchFormat.HEADER_BYTES);
    Arrays.fill(tickets, 0, ticketCount, null);
    Arrays.fill(countByStream, 0);
    ticketCount = 0;
    count = 0;
    rolls = false;
  }

  boolean isEmpty() {
    return ticketCount == 0;
  }

  int size() {
    return bytes.position();
  }

  int payloadSize() {
    return bytes.position() - BatchFormat.HEADER_BYTES;
  }

  int count() {
    return count;
  }

  int count(Stream stream) {
    return countByStream[stream.code()];
  }

  int ticketCount() {
    return ticketCount;
  }

  AppendCompletion ticket(int i) {
    AppendCompletion completion = tickets[i];
    if (completion == null) {
      throw new IndexOutOfBoundsException(i);
    }
    return completion;
  }

  long firstSequence() {
    return firstSequence;
  }

  /** When the first append arrived, on {@link System#nanoTime}'s clock. */
  long firstNanos() {
    return firstNanos;
  }

  /** The current segment has no room for this group, so the group begins the next one. */
  void startsSegment() {
    rolls = true;
  }

  boolean rolls() {
    return rolls;
  }

  /** The batch as a buffer that is ready to be written: room for the header, then the records. */
  ByteBuffer batch() {
    return bytes.duplicate().flip();
  }

  void begin(long firstSequence, long nanos) {
    this.firstSequence = firstSequence;
    this.firstNanos = nanos;
  }

  /** Copies the records that are no repeats. */
  void take(AppendBatch batch) {
    int run = 0;
    for (int i = 0; i < batch.count(); i++) {
      if (batch.isRepeat(i)) {
        copy(batch, run, i);
        run = i + 1;
      } else {
        countByStream[batch.bytes()[batch.start(i)]]++;
      }
    }
    copy(batch, run, batch.count());
    count += batch.count() - batch.repeatCount();
  }

  void await(AppendCompletion completion) {
    if (ticketCount == tickets.length) {
      tickets = Arrays.copyOf(tickets, 2 * ticketCount);
    }
    tickets[ticketCount++] = completion;
  }

  private void copy(AppendBatch batch, int from, int to) {
    if (from < to) {
      int start = batch.start(from);
      bytes.put(batch.bytes(), start, batch.end(to - 1) - start);
    }
  }
}
