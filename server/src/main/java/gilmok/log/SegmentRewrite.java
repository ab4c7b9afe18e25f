package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * One segment that nothing is written to any more, and what a {@link RecordRewrite} makes of it:
 * batch by batch, under the same sequences and times, with an epoch of its own. So a backup takes
 * the result for another file, and nobody takes a batch of one for a batch of the other.
 *
 * <p>Not thread-safe: owned by the rewriting thread.
 */
final class SegmentRewrite {
  /** So much is written and forced at once: one long flush would hold up the writer's forces. */
  private static final int CHUNK_BYTES = 1 << 20;

  private final Segments.Segment segment;
  private final long next;
  private final RecordRewrite rewrite;
  private final RecordKeys keys;
  private final Pace pace;
  private final BatchScan scan;
  private final SegmentWindow source;
  private final ByteBuffer sourceHeader;
  private final SegmentFormat.Header header;
  private final CRC32C crc = new CRC32C();
  private final long[] key = new long[2];
  private final StreamCounts erased = new StreamCounts();
  private final StreamCounts replaced = new StreamCounts();
  private ByteBuffer made = ByteBuffer.allocate(1 << 16);
  private final ByteBuffer out;
  private long written;

  /** Gives way to other work, and ends the rewriting when the log ends. */
  @FunctionalInterface
  interface Pace {
    /**
     * Called after each piece of work.
     *
     * @throws IOException when the rewriting has to end
     */
    void rest() throws IOException, InterruptedException;
  }

  /**
   * Reads the header of an open file.
   *
   * @param next the sequence after its last
   * @throws DamagedLogException when that is damaged
   */
  SegmentRewrite(
      Disk.File file,
      Segments.Segment segment,
      long next,
      RecordRewrite rewrite,
      RecordKeys keys,
      Pace pace)
      throws IOException {
    this.segment = segment;
    this.next = next;
    this.rewrite = rewrite;
    this.keys = keys;
    this.pace = pace;
    out = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, file.size()));
    source = new SegmentWindow(file);
    sourceHeader =
        source.copy(0, (int) Math.min(SegmentFormat.HEADER_BYTES, source.size())).clear();
    header = SegmentFormat.read(sourceHeader, segment.path());
    scan = new BatchScan(source, header.epoch(), segment.path());
  }

  /** Takes the position and the length of a batch. */
  @FunctionalInterface
  private interface Visitor {
    /** Returns whether to go on. */
    boolean visit(long at, int length, int records) throws IOException;
  }

  /**
   * Whether anything in the segment changes. Reads all of it.
   *
   * @throws DamagedLogException when not all of its records can be read
   */
  boolean changes() throws IOException, InterruptedException {
    boolean[] isAny = {false};
    visit(
        (at, length, records) -> {
          if (records > 0) {
            isAny[0] = remake(batch(at, length), records, false);
          }
          return !isAny[0];
        });
    return isAny[0];
  }

  /**
   * Writes what takes the segment's place; complete and forced on return. Returns its length.
   *
   * @param epoch its epoch
   */
  long write(Disk.File target, long epoch) throws IOException, InterruptedException {
    SegmentFormat.Header now =
        new SegmentFormat.Header(
            header.node(), epoch, header.createdAtMillis(), SegmentFormat.REWRITTEN_FORMAT);
    out.put(SegmentFormat.again(now, sourceHeader, segment.firstSequence()));
    visit(
        (at, length, records) -> {
          byte[] bytes = batch(at, length);
          boolean isOther = records > 0 && remake(bytes, records, true);
          ByteBuffer batch = ByteBuffer.wrap(bytes);
          ByteBuffer left = isOther ? made : batch;
          BatchFormat.seal(
              left,
              left.limit(),
              epoch,
              batch.getLong(BatchFormat.FIRST_SEQUENCE_AT),
              batch.getLong(BatchFormat.TIME_AT),
              batch.getLong(BatchFormat.DURABLE_THROUGH_AT),
              records,
              crc);
          put(left.position(0), target);
          return true;
        });
    flush(target);
    return written;
  }

  private void put(ByteBuffer batch, Disk.File target) throws IOException {
    while (batch.hasRemaining()) {
      int length = Math.min(out.remaining(), batch.remaining());
      out.put(out.position(), batch, batch.position(), length).position(out.position() + length);
      batch.position(batch.position() + length);
      if (!out.hasRemaining()) {
        flush(target);
      }
    }
  }

  private void flush(Disk.File target) throws IOException {
    int length = out.flip().remaining();
    target.write(out, written);
    target.force();
    written += length;
    out.clear();
  }

  /** How many records {@link #write} has made tombstones of. */
  StreamCounts erased() {
    return erased;
  }

  /** How many records {@link #write} has given other bytes. */
  StreamCounts replaced() {
    return replaced;
  }

  private byte[] batch(long at, int length) throws IOException {
    byte[] bytes = new byte[length];
    ByteBuffer target = ByteBuffer.wrap(bytes);
    source.each(at, length, target::put);
    return bytes;
  }

  private void visit(Visitor visitor) throws IOException, InterruptedException {
    long at = SegmentFormat.HEADER_BYTES;
    long sequence = segment.firstSequence();
    long rested = 0;
    for (int length = scan.lengthAt(at); length > 0; length = scan.lengthAt(at)) {
      if (scan.firstSequence(at) != sequence) {
        throw new DamagedLogException(
            segment.path(), at, "a batch out of sequence, " + sequence + " expected");
      }
      int records = scan.records(at);
      if (!visitor.visit(at, length, records)) {
        return;
      }
      sequence += records;
      at += length;
      if (at - rested >= CHUNK_BYTES) {
        pace.rest();
        rested = at;
      }
    }
    if (sequence < next) {
      throw new DamagedLogException(
          segment.path(), at, "sequence " + sequence + " was durable and cannot be read");
    }
  }

  /**
   * Goes through a batch's records.
   *
   * @param isWritten whether to put what becomes of the batch into {@link #made}, and to count
   * @return whether anything becomes of it
   */
  private boolean remake(byte[] bytes, int records, boolean isWritten) throws DamagedLogException {
    ByteBuffer batch = ByteBuffer.wrap(bytes);
    boolean isAny = false;
    if (isWritten) {
      made.clear();
      room(batch.limit());
      made.position(BatchFormat.HEADER_BYTES);
    }
    long received = batch.getLong(BatchFormat.TIME_AT);
    int at = BatchFormat.HEADER_BYTES;
    for (int i = 0; i < records; i++) {
      int frame = at + RecordFrame.BYTES <= batch.limit() ? batch.getInt(at) : 0;
      int end = at + RecordFrame.BYTES + RecordFrame.length(frame);
      if (!RecordFrame.isSound(frame) || end > batch.limit()) {
        throw new DamagedLogException(
            segment.path(), at, "a record without a known stream or longer than its batch");
      }
      RecordRewrite.Outcome outcome = outcome(bytes, frame, at, end, received);
      isAny |= !(outcome instanceof RecordRewrite.Outcome.Kept);
      if (isWritten) {
        put(bytes, frame, at, end, outcome);
      } else if (isAny) {
        return true;
      }
      at = end;
    }
    if (isWritten) {
      made.flip();
    }
    return isAny;
  }

  private RecordRewrite.Outcome outcome(
      byte[] bytes, int frame, int at, int end, long receivedAtMillis) {
    if (RecordFrame.isErased(frame)) {
      return RecordRewrite.KEEP;
    }
    int from = begin(frame, at);
    RecordRewrite.Outcome outcome =
        rewrite.of(RecordFrame.stream(frame), receivedAtMillis, bytes, from, end - from);
    boolean isSame =
        outcome instanceof RecordRewrite.Outcome.Replaced(byte[] by)
            && Arrays.equals(bytes, from, end, by, 0, by.length);
    return isSame ? RecordRewrite.KEEP : outcome;
  }

  private static int begin(int frame, int at) {
    return at + RecordFrame.BYTES + (RecordFrame.hasKey(frame) ? RecordFrame.KEY_BYTES : 0);
  }

  private void put(byte[] bytes, int frame, int at, int end, RecordRewrite.Outcome outcome) {
    Stream stream = RecordFrame.stream(frame);
    switch (outcome) {
      case RecordRewrite.Outcome.Kept _ -> {
        room(end - at);
        made.put(bytes, at, end - at);
      }
      case RecordRewrite.Outcome.Erased _ -> {
        erased.add(stream);
        room(RecordFrame.BYTES + RecordFrame.KEY_BYTES);
        made.putInt(RecordFrame.erased(stream));
        putKey(bytes, frame, stream, at, end);
      }
      case RecordRewrite.Outcome.Replaced(byte[] by) -> {
        replaced.add(stream);
        room(RecordFrame.BYTES + RecordFrame.KEY_BYTES + by.length);
        made.putInt(RecordFrame.replaced(stream, by.length));
        putKey(bytes, frame, stream, at, end);
        made.put(by);
      }
    }
  }

  /** Puts the key that the record was appended with: its bytes no longer tell. */
  private void putKey(byte[] bytes, int frame, Stream stream, int at, int end) {
    int from = begin(frame, at);
    if (RecordFrame.hasKey(frame)) {
      made.put(bytes, from - RecordFrame.KEY_BYTES, RecordFrame.KEY_BYTES);
    } else {
      keys.key(stream, bytes, from, end - from, key);
      made.putLong(key[0]).putLong(key[1]);
    }
  }

  private void room(int bytes) {
    if (made.remaining() < bytes) {
      ByteBuffer larger =
          ByteBuffer.allocate(Math.max(2 * made.capacity(), made.position() + bytes));
      made = larger.put(made.flip());
    }
  }
}
