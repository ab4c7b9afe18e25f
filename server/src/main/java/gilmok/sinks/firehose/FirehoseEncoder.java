package gilmok.sinks.firehose;

import gilmok.event.DamagedEvent;
import gilmok.event.JsonBuffer;
import gilmok.sinks.Batch;
import gilmok.sinks.ShippedLine;
import gilmok.sinks.firehose.FirehoseConfig.PackCompression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch as calls: consecutive lines, each with its line's end, go into one of Firehose's records
 * until that is full by its bytes or its lines, and records, compressed if they are to be, into a
 * call. Only one call is held at a time. A line that no record can hold, and bytes that are no
 * event, are left out and noted.
 *
 * <p>Not thread-safe: one for each batch.
 */
final class FirehoseEncoder {
  static final String TOO_LARGE =
      "as a line it has more than the "
          + FirehoseLimits.RECORD_BYTES_MAX
          + " bytes that Firehose takes for one record";
  static final String DAMAGED = "its bytes are no event";

  private final Batch batch;
  private final int packBytesMax;
  private final int callRecordsMax;
  private final long callBytesMax;
  private final boolean isGzip;
  private final Scratch scratch;

  /** The lines of the record that is being filled; after it the one that did not fit. */
  private final JsonBuffer text;

  private final int[] lines = new int[FirehoseLimits.RECORD_LINES_MAX];
  private int lineCount;

  /** Lines met so far that no record can hold. */
  final BitSet tooLarge = new BitSet();

  /** Records met so far that are no events. */
  final BitSet damaged = new BitSet();

  private int next;

  /** The line that the text begins with; -1 when it is empty. */
  private int carried = -1;

  /** What was the first to find no room in the call before. */
  private @Nullable Pack held;

  /** What lines are written with, one batch after the other. */
  static final class Scratch {
    private final ShippedLine line = new ShippedLine();
    private final JsonBuffer text = new JsonBuffer();
    private @Nullable Gzip gzip;

    private Gzip gzip() {
      Gzip known = gzip == null ? new Gzip() : gzip;
      gzip = known;
      return known;
    }

    /** Gives back what lies outside the heap; it is of no use any more. */
    void close() {
      if (gzip != null) {
        gzip.close();
      }
    }
  }

  /** One of Firehose's records, and the batch's indexes of its lines. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Pack(byte[] data, int[] lines) {}

  /** The lines of one call. */
  static final class Call {
    /** The data of each of Firehose's records. */
    final List<byte[]> records = new ArrayList<>();

    /** Of all of them. */
    int bytes;

    private int[] lines = new int[FirehoseLimits.RECORD_LINES_MAX];
    private int lineCount;
    private int[] ends = new int[16];

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

    private void add(Pack pack) {
      int count = lineCount + pack.lines.length;
      if (count > lines.length) {
        lines = Arrays.copyOf(lines, Math.max(count, 2 * lines.length));
      }
      if (records.size() == ends.length) {
        ends = Arrays.copyOf(ends, 2 * ends.length);
      }
      System.arraycopy(pack.lines, 0, lines, lineCount, pack.lines.length);
      lineCount = count;
      ends[records.size()] = count;
      records.add(pack.data);
      bytes += pack.data.length;
    }
  }

  /**
   * @param scratch nobody else's until this is done with
   */
  FirehoseEncoder(Batch batch, FirehoseConfig config, Scratch scratch) {
    this.batch = batch;
    this.scratch = scratch;
    text = scratch.text;
    text.clear();
    isGzip = config.packing().compression() == PackCompression.GZIP;
    callRecordsMax = Math.min(FirehoseLimits.CALL_RECORDS_MAX, config.quota().recordsMax());
    callBytesMax = Math.min(FirehoseLimits.CALL_DATA_BYTES_MAX, config.quota().bytesMax());
    // What cannot be compressed becomes longer: a record of several lines must be one all the same.
    int room = FirehoseLimits.RECORD_BYTES_MAX - (isGzip ? Gzip.EXCESS_BYTES_MAX : 0);
    packBytesMax = (int) Math.min(Math.min(config.packing().bytesMax(), room), callBytesMax);
  }

  /** The next call; null when all lines had their turn. */
  @Nullable Call next() {
    Call call = new Call();
    for (Pack pack = take(); pack != null; pack = take()) {
      boolean isFull =
          call.records.size() == callRecordsMax
              || (call.bytes > 0 && call.bytes + pack.data.length > callBytesMax);
      if (isFull) {
        held = pack;
        return call;
      }
      call.add(pack);
    }
    return call.records.isEmpty() ? null : call;
  }

  /** The next record; null when there is none. */
  private @Nullable Pack take() {
    Pack pack = held;
    held = null;
    while (pack == null && (carried >= 0 || next < batch.size())) {
      pack = fill();
    }
    return pack;
  }

  /** Fills one; null when nothing can be sent of what was looked at. */
  private @Nullable Pack fill() {
    lineCount = 0;
    if (carried >= 0) {
      lines[lineCount++] = carried;
      carried = -1;
    }
    while (next < batch.size()) {
      int line = next++;
      int start = text.size();
      if (!write(line)) {
        damaged.set(line);
        continue;
      }
      boolean joins = lineCount == 0 || (text.size() <= packBytesMax && lineCount < lines.length);
      if (!joins) {
        carried = line;
        return close(start);
      }
      lines[lineCount++] = line;
    }
    return lineCount == 0 ? null : close(text.size());
  }

  /** The text up to there as a record; null when it is a line that no record can hold. */
  private @Nullable Pack close(int end) {
    byte[] data =
        isGzip ? scratch.gzip().member(text.bytes(), end) : Arrays.copyOf(text.bytes(), end);
    byte[] rest = Arrays.copyOfRange(text.bytes(), end, text.size());
    text.clear();
    text.raw(rest, 0, rest.length);
    if (data.length > FirehoseLimits.RECORD_BYTES_MAX) {
      tooLarge.set(lines[0]); // alone: several are never so many bytes
      return null;
    }
    return new Pack(data, Arrays.copyOf(lines, lineCount));
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
}
