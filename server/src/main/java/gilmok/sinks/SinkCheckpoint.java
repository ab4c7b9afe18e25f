package gilmok.sinks;

import gilmok.log.Cursor;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import gilmok.storage.NewerFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How far a sink has come, and the state of the records beyond: the content of its cursor's note.
 *
 * <p>Every sequence up to the low-water mark is settled, or of a stream that the sink does not
 * take, or one of the few that are still {@link SinkCounts#below} it: replayed, or in flight when a
 * full log made the sink give up records.
 *
 * <table>
 * <caption>The note</caption>
 * <tr><td>1 byte</td><td>version, 1; 2 where records were erased</td></tr>
 * <tr><td>1 byte</td><td>1: paused, 2: detached</td></tr>
 * <tr><td>1 byte</td><td>how many streams follow: 1 byte code, and 8 bytes each of since, accepted
 *     before, delivered, quarantined, skipped, in flight below the mark</td></tr>
 * <tr><td>varint</td><td>how many replays follow: varint sequence, 1 byte stream</td></tr>
 * <tr><td>varint</td><td>how many settled ranges follow: varint distance from the end of the last,
 *     varint length, 1 byte streams, and of each 1 byte code and varint records</td></tr>
 * <tr><td>varint</td><td>how many refused records follow that the log had no room for: varint
 *     length, the bytes to append to the stream {@code quarantine}</td></tr>
 * <tr><td>1 byte</td><td>only where records were lost: how many streams follow, and of each 1 byte
 *     code and varint lost records</td></tr>
 * <tr><td>1 byte</td><td>only with version 2, after one of the lost ones: the same of erased
 *     records</td></tr>
 * </table>
 *
 * <p>Not thread-safe: guarded by the lock of its {@link SinkState}.
 */
final class SinkCheckpoint {
  /** With this many settled ranges above the mark, no further batch starts. */
  static final int SETTLED_RANGES_MAX = 4096;

  /** The most records that may wait to be replayed. */
  static final int REPLAYS_MAX = 1000;

  private static final int VERSION = 1;

  /**
   * An earlier version would not count what was erased, and find that the ledger does not add up.
   */
  private static final int ERASED_VERSION = 2;

  private static final int PAUSED = 1;
  private static final int DETACHED = 2;
  private static final Stream[] STREAMS = Stream.values();

  final SinkCounts counts;

  /** The records of {@link SinkCounts#below} that wait to be replayed, by sequence. */
  final TreeMap<Long, Stream> replays = new TreeMap<>();

  /** The settled ranges above the mark. */
  final Ranges ranges;

  /** Quarantined records that are not in the log yet. */
  final PendingDeadLetters pendingDeadLetters = new PendingDeadLetters();

  private long low;
  boolean isPaused;
  boolean isDetached;

  /** An account that begins after {@code low}. */
  SinkCheckpoint(long low) {
    this(low, new Ranges(), new SinkCounts());
  }

  private SinkCheckpoint(long low, Ranges ranges, SinkCounts counts) {
    this.low = low;
    this.ranges = ranges;
    this.counts = counts;
  }

  /** Whether all but that sequence is settled, and later ones were delivered. */
  boolean isOnlyOneLeft(long sequence) {
    return low() == sequence - 1 && ranges.size() == 1 && ranges.counts().total() > 0;
  }

  /** The low-water mark: everything up to it is settled. */
  long low() {
    return low;
  }

  /** Begins a stream's account: its first sequence, and the number of records accepted before. */
  void begin(Stream stream, long first, long acceptedBefore) {
    counts.since().add(stream, first - counts.since().of(stream));
    counts.before().add(stream, acceptedBefore - counts.before().of(stream));
  }

  /** Whether the sink takes the stream. */
  boolean takes(Stream stream) {
    return counts.since().of(stream) > 0;
  }

  /** Ends the accounts of all other streams. */
  void keepOnly(Set<Stream> streams) {
    for (Stream stream : STREAMS) {
      if (takes(stream) && !streams.contains(stream)) {
        counts.all().forEach(each -> each.add(stream, -each.of(stream)));
        replays.values().removeIf(stream::equals);
      }
    }
  }

  /**
   * Where the account of a stream can begin that the sink did not take before: nothing from there
   * on is settled.
   */
  long nextBegin() {
    long end = low;
    for (Ranges.Range range : ranges.all()) {
      end = Math.max(end, range.to());
    }
    return end + 1;
  }

  /** Settles a range with that many of the sink's records. */
  void settle(long from, long to, StreamCounts records) {
    if (to > low) {
      ranges.add(Math.max(from, low + 1), to, records);
      low = ranges.absorb(low);
    }
  }

  /** Settles a range without records to send; {@code gone} of the sink's in it were erased. */
  void pass(long from, long to, StreamCounts gone) {
    if (to > low) {
      settle(from, to, gone);
      counts.erased().add(gone);
    }
  }

  /**
   * Moves the mark to {@code through}: {@code missed} were skipped, {@code onTheirWay} are in
   * flight.
   */
  void letGo(long through, StreamCounts missed, StreamCounts onTheirWay) {
    low = ranges.absorb(Math.max(low, through));
    counts.skipped().add(missed);
    counts.below().add(onTheirWay);
    isDetached |= missed.total() > 0;
  }

  /** Settled records at or below the mark, and the records from before the account. */
  StreamCounts settledBelow() {
    StreamCounts settled = new StreamCounts();
    counts.all().stream().skip(1).forEach(settled::add); // all but since
    settled.subtract(ranges.counts());
    return settled;
  }

  /** Moves the mark to {@code through}, the end of a settled range: the log lost {@code gone}. */
  void lose(long through, StreamCounts gone) {
    low = ranges.absorb(Math.max(low, through));
    counts.lost().add(gone);
  }

  /** Whether that sequence is at or below the mark, or settled above it. */
  boolean isSettled(long sequence) {
    return sequence <= low || ranges.holds(sequence);
  }

  /** Whether everything from one sequence to another is. */
  boolean isSettled(long from, long to) {
    return to <= low || ranges.holds(Math.max(from, low + 1), to);
  }

  /** Marks a quarantined record to be replayed. */
  void replay(long sequence, Stream stream) {
    if (replays.put(sequence, stream) == null) {
      counts.quarantined().add(stream, -1);
      counts.below().add(stream);
    }
  }

  /** Settles a record that was in flight below the mark. */
  void settleBelow(long sequence, Stream stream) {
    replays.remove(sequence);
    counts.below().add(stream, -1);
  }

  /** An independent copy. */
  SinkCheckpoint copy() {
    SinkCheckpoint copy = new SinkCheckpoint(low, ranges.copy(), counts.copy());
    copy.replays.putAll(replays);
    copy.pendingDeadLetters.restore(pendingDeadLetters.all());
    copy.isPaused = isPaused;
    copy.isDetached = isDetached;
    return copy;
  }

  /** The note's bytes. */
  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      boolean isErased = counts.erased().total() > 0;
      out.writeByte(isErased ? ERASED_VERSION : VERSION);
      out.writeByte((isPaused ? PAUSED : 0) | (isDetached ? DETACHED : 0));
      encodeStreams(out);
      varint(out, replays.size());
      for (Map.Entry<Long, Stream> replay : replays.entrySet()) {
        varint(out, replay.getKey());
        out.writeByte(replay.getValue().code());
      }
      varint(out, ranges.size());
      long end = low;
      for (Ranges.Range range : ranges.all()) {
        varint(out, range.from() - end);
        varint(out, range.to() - range.from());
        encodeCounts(out, range.counts());
        end = range.to();
      }
      varint(out, pendingDeadLetters.size());
      for (byte[] record : pendingDeadLetters.all()) {
        varint(out, record.length);
        out.write(record);
      }
      if (counts.lost().total() > 0 || isErased) {
        encodeCounts(out, counts.lost());
      }
      if (isErased) {
        encodeCounts(out, counts.erased());
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  private void encodeStreams(DataOutputStream out) throws IOException {
    StreamCounts onTheirWay = counts.below().copy();
    replays.values().forEach(stream -> onTheirWay.add(stream, -1));
    int taken = 0;
    for (Stream stream : STREAMS) {
      taken += takes(stream) ? 1 : 0;
    }
    out.writeByte(taken);
    for (Stream stream : STREAMS) {
      if (takes(stream)) {
        out.writeByte(stream.code());
        out.writeLong(counts.since().of(stream));
        out.writeLong(counts.before().of(stream));
        out.writeLong(counts.delivered().of(stream));
        out.writeLong(counts.quarantined().of(stream));
        out.writeLong(counts.skipped().of(stream));
        out.writeLong(onTheirWay.of(stream));
      }
    }
  }

  private static void encodeCounts(DataOutputStream out, StreamCounts counts) throws IOException {
    int present = 0;
    for (Stream stream : STREAMS) {
      present += counts.of(stream) > 0 ? 1 : 0;
    }
    out.writeByte(present);
    for (Stream stream : STREAMS) {
      if (counts.of(stream) > 0) {
        out.writeByte(stream.code());
        varint(out, counts.of(stream));
      }
    }
  }

  /**
   * Decodes a note. Records that were in flight below the mark when the process ended count as
   * skipped: the log may no longer have them.
   *
   * @param low the cursor's sequence
   * @param file the cursor's
   * @throws IOException when the bytes are no note, or are of a newer version
   */
  static SinkCheckpoint decode(byte[] note, long low, Path file) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(note));
    int version = in.readUnsignedByte();
    if (version != VERSION && version != ERASED_VERSION) {
      throw new NewerFormatException(file, version, ERASED_VERSION);
    }
    SinkCheckpoint checkpoint = new SinkCheckpoint(low);
    int flags = in.readUnsignedByte();
    checkpoint.isPaused = (flags & PAUSED) != 0;
    checkpoint.isDetached = (flags & DETACHED) != 0;
    for (int left = in.readUnsignedByte(); left > 0; left--) {
      Stream stream = stream(in.readUnsignedByte());
      checkpoint.begin(stream, in.readLong(), in.readLong());
      checkpoint.counts.delivered().add(stream, in.readLong());
      checkpoint.counts.quarantined().add(stream, in.readLong());
      checkpoint.counts.skipped().add(stream, in.readLong() + in.readLong());
    }
    for (long left = varint(in); left > 0; left--) {
      long sequence = varint(in);
      Stream stream = stream(in.readUnsignedByte());
      checkpoint.replays.put(sequence, stream);
      checkpoint.counts.below().add(stream);
    }
    long end = low;
    for (long left = varint(in); left > 0; left--) {
      long from = end + varint(in);
      end = from + varint(in);
      checkpoint.ranges.add(from, end, counts(in));
    }
    for (long left = varint(in); left > 0; left--) {
      checkpoint.pendingDeadLetters.restore(List.of(record(in, (int) varint(in))));
    }
    if (in.available() > 0) {
      checkpoint.counts.lost().add(counts(in));
    }
    if (version == ERASED_VERSION) {
      checkpoint.counts.erased().add(counts(in));
    }
    return checkpoint;
  }

  /** Decodes the note of a cursor, which has one. */
  static SinkCheckpoint of(Cursor cursor) throws IOException {
    return decode(cursor.note(), cursor.sequence(), cursor.path());
  }

  private static byte[] record(DataInputStream in, int length) throws IOException {
    byte[] record = in.readNBytes(length);
    if (record.length < length) {
      throw new EOFException("a cursor's note that ends early");
    }
    return record;
  }

  private static StreamCounts counts(DataInputStream in) throws IOException {
    StreamCounts counts = new StreamCounts();
    for (int present = in.readUnsignedByte(); present > 0; present--) {
      counts.add(stream(in.readUnsignedByte()), varint(in));
    }
    return counts;
  }

  private static Stream stream(int code) throws IOException {
    if (Stream.isKnown(code)) {
      return Stream.of(code);
    }
    throw new IOException("a cursor's note with a stream of code " + code);
  }

  private static void varint(DataOutputStream out, long value) throws IOException {
    long left = value;
    while (left > 0x7f) {
      out.writeByte((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.writeByte((int) left);
  }

  private static long varint(DataInputStream in) throws IOException {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      int b = in.readUnsignedByte();
      value |= (b & 0x7fL) << shift;
      if (b < 0x80) {
        return value;
      }
    }
  }
}
