package gilmok.ship.firehose;

import gilmok.event.DamagedEvent;
import gilmok.event.JsonBuffer;
import gilmok.ship.Batch;
import gilmok.ship.ShippedLine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch as calls: consecutive lines, each with its line's end, go into one of Firehose's records
 * until that is full by its bytes or its lines, and records into a call. Only one call is held at a
 * time. A line that no record can hold, and bytes that are no event, are left out and noted.
 *
 * <p>Not thread-safe: one for each batch.
 */
final class Packing {
  static final String TOO_LARGE =
      "as a line it has more than the "
          + FirehoseLimits.RECORD_BYTES_MAX
          + " bytes that Firehose takes for one record";
  static final String DAMAGED = "its bytes are no event";

  private final Batch batch;
  private final int packBytesMax;
  private final int callRecordsMax;
  private final long callBytesMax;
  private final Scratch scratch;
  private final JsonBuffer text;
  private final BitSet tooLarge = new BitSet();
  private final BitSet damaged = new BitSet();
  private int next;

  /** What lines are written with, one batch after the other. */
  static final class Scratch {
    private final ShippedLine line = new ShippedLine();
    private final JsonBuffer text = new JsonBuffer();
  }

  /** The lines of one call. */
  static final class Call {
    /** The data of each of Firehose's records. */
    final List<byte[]> records = new ArrayList<>();

    /** Of all of them. */
    int bytes;

    private final int[] lines;
    private int lineCount;
    private int[] ends = new int[16];

    private Call(int linesMax) {
      lines = new int[linesMax];
    }

    /** The batch's index of the first line. */
    int firstLine() {
      return lines[0];
    }

    /** Where in this call the lines of a record begin. */
    int from(int record) {
      return record == 0 ? 0 : ends[record - 1];
    }

    /** Where they end, exclusive. */
    int to(int record) {
      return ends[record];
    }

    /** The batch's index of a line of this call. */
    int line(int i) {
      return lines[i];
    }

    private void close(byte[] data) {
      if (records.size() == ends.length) {
        ends = Arrays.copyOf(ends, 2 * ends.length);
      }
      ends[records.size()] = lineCount;
      records.add(data);
    }
  }

  /**
   * @param scratch nobody else's until this is done with
   */
  Packing(Batch batch, FirehoseConfig config, Scratch scratch) {
    this.batch = batch;
    this.scratch = scratch;
    text = scratch.text;
    packBytesMax = config.packBytesMax();
    callRecordsMax = Math.min(FirehoseLimits.CALL_RECORDS_MAX, config.recordsPerSecondMax());
    callBytesMax = Math.min(FirehoseLimits.CALL_DATA_BYTES_MAX, config.bytesPerSecondMax());
  }

  /** The next call; null when all lines had their turn. */
  @Nullable Call next() {
    Call call = new Call(batch.size() - next);
    text.clear();
    int open = 0;
    int openLines = 0;
    while (next < batch.size()) {
      int start = text.size();
      if (!write(next)) {
        damaged.set(next++);
        continue;
      }
      int length = text.size() - start;
      boolean fits = length <= FirehoseLimits.RECORD_BYTES_MAX;
      boolean joins =
          fits
              && start > open
              && text.size() - open <= packBytesMax
              && openLines < FirehoseLimits.RECORD_LINES_MAX;
      if (!joins) {
        close(call, open, start);
        open = fits ? start : text.size();
        openLines = 0;
      }
      if (!fits) {
        tooLarge.set(next++);
        continue;
      }
      boolean isFull = call.lineCount > 0 && call.bytes + length > callBytesMax;
      if (isFull || (!joins && call.records.size() == callRecordsMax)) {
        // Written once more as the first of the next call.
        return joins ? closed(call, open, start) : call;
      }
      call.lines[call.lineCount++] = next++;
      openLines++;
      call.bytes += length;
    }
    return closed(call, open, text.size());
  }

  private boolean write(int i) {
    try {
      scratch.line.write(batch, i, text);
    } catch (DamagedEvent e) {
      return false;
    }
    text.put('\n');
    return true;
  }

  private @Nullable Call closed(Call call, int open, int end) {
    close(call, open, end);
    return call.records.isEmpty() ? null : call;
  }

  private void close(Call call, int open, int end) {
    if (end > open) {
      call.close(Arrays.copyOfRange(text.bytes(), open, end));
    }
  }

  /** Lines met so far that no record can hold. */
  BitSet tooLarge() {
    return tooLarge;
  }

  /** Records met so far that are no events. */
  BitSet damaged() {
    return damaged;
  }
}
