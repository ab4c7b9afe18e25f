package gilmok.sinks;

import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How far a sink has come and what became of the records: what its cursor's note holds.
 *
 * <p>Every sequence up to the low-water mark is settled, or of a stream that the sink does not
 * take, or one of the few that are still {@link SinkCounts#below} it: sent once more, or still on
 * their way when a full log was let go.
 *
 * <table>
 * <caption>The note</caption>
 * <tr><td>1 byte</td><td>version, 1</td></tr>
 * <tr><td>1 byte</td><td>1: paused, 2: detached</td></tr>
 * <tr><td>1 byte</td><td>how many streams follow: 1 byte code, and 8 bytes each of since, accepted
 *     before, delivered, quarantined, skipped, on their way below the mark</td></tr>
 * <tr><td>varint</td><td>how many to be sent once more follow: varint sequence, 1 byte stream</td></tr>
 * <tr><td>varint</td><td>how many settled ranges follow: varint distance from the end of the last,
 *     varint length, 1 byte streams, and of each 1 byte code and varint records</td></tr>
 * <tr><td>varint</td><td>how many refused records follow that the log had no room for: varint
 *     length, the bytes to append to the stream {@code quarantine}</td></tr>
 * <tr><td>1 byte</td><td>only where records were lost: how many streams follow, and of each 1 byte
 *     code and varint records that were</td></tr>
 * </table>
 *
 * <p>Not thread-safe: guarded by the lock of its {@link SinkState}.
 */
final class SinkCheckpoint {
  /** So many ranges may be settled above the mark before no further batch goes. */
  static final int SETTLED_RANGES_MAX = 4096;

  /** So many records may wait to be sent once more. */
  static final int REPLAYS_MAX = 1000;

  private static final int VERSION = 1;
  private static final int PAUSED = 1;
  private static final int DETACHED = 2;
  private static final Stream[] STREAMS = Stream.values();

  final SinkCounts counts;

  /** Those of {@link SinkCounts#below} that are to be sent once more, by sequence. */
  final TreeMap<Long, Stream> replays = new TreeMap<>();

  /** Settled above the mark. */
  final Ranges ranges;

  /** Set aside, and not in the log yet. */
  final PendingDeadLetters pendingDeadLetters = new PendingDeadLetters();

  private long low;
  boolean isPaused;
  boolean isDetached;

  /** Nothing behind that sequence has happened yet. */
  SinkCheckpoint(long low) {
    this(low, new Ranges(), new SinkCounts());
  }

  private SinkCheckpoint(long low, Ranges ranges, SinkCounts counts) {
    this.low = low;
    this.ranges = ranges;
    this.counts = counts;
  }

  /** Whether all is settled but that sequence, and later ones were delivered. */
  boolean isOnlyOneLeft(long sequence) {
    return low() == sequence - 1 && ranges.size() == 1 && ranges.counts().total() > 0;
  }

  /** Everything up to here is settled. */
  long low() {
    return low;
  }

  /** Begins the account of a stream: the first sequence it is about, and how many came before. */
  void begin(Stream stream, long first, long acceptedBefore) {
    counts.since().add(stream, first - counts.since().of(stream));
    counts.before().add(stream, acceptedBefore - counts.before().of(stream));
  }

  /** Whether the sink takes it. */
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

  /** Where a stream's account can begin that the sink did not take until now. */
  long nextBegin() {
    long end = low;
    for (Ranges.Range range : ranges.all()) {
      end = Math.max(end, range.to());
    }
    return end + 1;
  }

  /** All from one sequence to another is settled; so many records of the sink's streams. */
  void settle(long from, long to, StreamCounts records) {
    if (to > low) {
      ranges.add(Math.max(from, low + 1), to, records);
      low = ranges.absorb(low);
    }
  }

  /** The mark moves up to there: these were skipped, and those are still on their way. */
  void letGo(long through, StreamCounts missed, StreamCounts onTheirWay) {
    low = ranges.absorb(Math.max(low, through));
    counts.skipped().add(missed);
    counts.below().add(onTheirWay);
    isDetached |= missed.total() > 0;
  }

  /** Settled records at or below the mark, and those from before the account. */
  StreamCounts settledBelow() {
    StreamCounts settled = new StreamCounts();
    counts.all().stream().skip(1).forEach(settled::add); // all but since
    settled.subtract(ranges.counts());
    return settled;
  }

  /** The mark moves up to there, where a settled range ends: the log has these no more. */
  void lose(long through, StreamCounts gone) {
    low = ranges.absorb(Math.max(low, through));
    counts.lost().add(gone);
  }

  /** Whether that sequence is at or below the mark, or settled above it. */
  boolean isSettled(long sequence) {
    return sequence <= low || ranges.holds(sequence);
  }

  /** A record that was quarantined is to be sent once more. */
  void replay(long sequence, Stream stream) {
    if (replays.put(sequence, stream) == null) {
      counts.quarantined().add(stream, -1);
      counts.below().add(stream);
    }
  }

  /** One that was on its way below the mark is settled. */
  void settleBelow(long sequence, Stream stream) {
    replays.remove(sequence);
    counts.below().add(stream, -1);
  }

  /** The same, apart from this. */
  SinkCheckpoint copy() {
    SinkCheckpoint copy = new SinkCheckpoint(low, ranges.copy(), counts.copy());
    copy.replays.putAll(replays);
    copy.pendingDeadLetters.restore(pendingDeadLetters.all());
    copy.isPaused = isPaused;
    copy.isDetached = isDetached;
    return copy;
  }

  /** The note. */
  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
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
      if (counts.lost().total() > 0) {
        encodeCounts(out, counts.lost());
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
   * Reads a note. What was on its way below the mark when the process ended was missed: the log may
   * have it no more.
   *
   * @param low where the cursor stands
   * @throws IOException when it is none, or of a newer program
   */
  static SinkCheckpoint decode(byte[] note, long low) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(note));
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new IOException("a cursor's note of version " + version + ", of a newer program");
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
    return checkpoint;
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
