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
 * Encodes a batch as calls. Consecutive lines, each with its line break, fill a Firehose record up
 * to its limit of bytes or lines; records, compressed if so configured, fill a call. Only one call
 * is held at a time. A line that is too large for any record, and bytes that are no event, are left
 * out and noted.
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

  /** The lines of the record being filled, followed by the one that did not fit. */
  private final JsonBuffer text;

  private final int[] lines = new int[FirehoseLimits.RECORD_LINES_MAX];
  private int lineCount;

  /** Lines so far that are too large for any record. */
  final BitSet tooLarge = new BitSet();

  /** Records so far that are no events. */
  final BitSet damaged = new BitSet();

  private int next;

  /** The line at the beginning of the text; -1 when the text is empty. */
  private int carried = -1;

  /** The record that was the first without room in the call before. */
  private @Nullable Pack held;

  /** Buffers for encoding, reused from batch to batch. */
  static final class Scratch {
    private final ShippedLine line = new ShippedLine();
    private final JsonBuffer text = new JsonBuffer();
    private @Nullable Gzip gzip;

    private Gzip gzip() {
      Gzip known = gzip == null ? new Gzip() : gzip;
      gzip = known;
      return known;
    }

    /** Frees the memory outside the heap; the buffers must not be used after that. */
    void close() {
      if (gzip != null) {
        gzip.close();
      }
    }
  }

  /** A Firehose record, and its lines' indexes in the batch. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Pack(byte[] data, int[] lines) {}

  /** The lines of one call. */
  static final class Call {
    /** The data of each Firehose record. */
    final List<byte[]> records = new ArrayList<>();

    /** The bytes of all records. */
    int bytes;

    private int[] lines = new int[FirehoseLimits.RECORD_LINES_MAX];
    private int lineCount;
    private int[] ends = new int[16];

    /** The index in the batch of the first line. */
    int firstLine() {
      return lines[0];
    }

    /** The index in this call of a record's first line. */
    int from(int record) {
      return record == 0 ? 0 : ends[record - 1];
    }

    /** The index in this call after a record's last line. */
    int to(int record) {
      return ends[record];
    }

    /** The index in the batch of a line of this call. */
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
   * @param scratch used by this encoder alone until it is done
   */
  FirehoseEncoder(Batch batch, FirehoseConfig config, Scratch scratch) {
    this.batch = batch;
    this.scratch = scratch;
    text = scratch.text;
    text.clear();
    isGzip = config.packing().compression() == PackCompression.GZIP;
    callRecordsMax = Math.min(FirehoseLimits.CALL_RECORDS_MAX, config.quota().recordsMax());
    callBytesMax = Math.min(FirehoseLimits.CALL_DATA_BYTES_MAX, config.quota().bytesMax());
    // Incompressible text becomes longer, and a record of several lines must still fit into one
    // record.
    int room = FirehoseLimits.RECORD_BYTES_MAX - (isGzip ? Gzip.EXCESS_BYTES_MAX : 0);
    packBytesMax = (int) Math.min(Math.min(config.packing().bytesMax(), room), callBytesMax);
  }

  /** The next call; null after the last line. */
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

  /** The next Firehose record; null when there is none. */
  private @Nullable Pack take() {
    Pack pack = held;
    held = null;
    while (pack == null && (carried >= 0 || next < batch.size())) {
      pack = fill();
    }
    return pack;
  }

  /** Fills a Firehose record; null when none of the lines that were read can be sent. */
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

  /**
   * The text up to {@code end} as a record; null when it is one line that is too large for any
   * record.
   */
  private @Nullable Pack close(int end) {
    byte[] data =
        isGzip ? scratch.gzip().member(text.bytes(), end) : Arrays.copyOf(text.bytes(), end);
    byte[] rest = Arrays.copyOfRange(text.bytes(), end, text.size());
    text.clear();
    text.raw(rest, 0, rest.length);
    if (data.length > FirehoseLimits.RECORD_BYTES_MAX) {
      tooLarge.set(lines[0]); // a single line: several are never so large
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
