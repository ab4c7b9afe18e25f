package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log forwards, record by record, never past what is durable. It pulls: the log does not
 * know its readers. Nothing is allocated for a record: {@link #bytes} is a buffer of the reader's.
 *
 * <p>Not thread-safe: owned by the thread that reads.
 */
public final class LogReader implements AutoCloseable {
  private static final int CHUNK_BYTES_MIN = 1 << 14;
  private static final int CHUNK_BYTES_MAX = 1 << 18;

  private final Disk disk;
  private final Path folder;
  private final LongSupplier durable;
  private final boolean beside;
  private final CRC32C crc = new CRC32C();

  /** No record before this one is shown. */
  private long from;

  private Segments segments;

  /** How many segments had been replaced when this reader looked last. */
  private long replacements;

  private Segments.@Nullable Segment segment;
  private Disk.@Nullable File file;
  private SegmentFormat.Header header = new SegmentFormat.Header(new NodeId(0), 0, 0);
  private long fileBytes;
  private long filePosition;
  private byte[] buffer = new byte[CHUNK_BYTES_MAX];
  private int chunkBytes = CHUNK_BYTES_MIN;
  private ByteBuffer view = ByteBuffer.wrap(buffer);
  private int at;
  private int limit;

  private long nextSequence;

  /** Where the sequences without records begin that are before the segment. */
  private long gapFrom;

  private int recordsLeft;
  private int recordAt;
  private int recordEnd;
  private long receivedAtMillis;
  private final LogEntry entry = new LogEntry();

  /**
   * @param beside whether no log is open in this process: the reader then looks for new segments in
   *     the folder, and takes an unreadable batch at the very end as not yet written
   */
  LogReader(
      Disk disk, Path folder, Segments segments, LongSupplier durable, boolean beside, long from) {
    this.disk = disk;
    this.folder = folder;
    this.segments = segments;
    this.durable = durable;
    this.beside = beside;
    this.from = from;
    replacements = segments.replacements();
  }

  /** A reader of a log that another process may be writing; it takes no lock. */
  public static LogReader beside(Disk disk, Path folder, long from) throws IOException {
    return new LogReader(
        disk, folder, Segments.list(disk, folder), () -> Long.MAX_VALUE, true, from);
  }

  /**
   * Moves to the next record, past what is erased.
   *
   * @return false when everything durable has been read; call again later
   * @throws DamagedLogException when something durable cannot be read
   */
  public boolean next() throws IOException {
    do {
      if (!nextEntry()) {
        return false;
      }
    } while (isErased());
    return true;
  }

  /** Moves to the next record or tombstone, likewise. */
  public boolean nextEntry() throws IOException {
    if (replacements != segments.replacements()) {
      renew();
    }
    do {
      while (recordsLeft == 0) {
        if (!nextBatch()) {
          return false;
        }
      }
      advance();
    } while (nextSequence - 1 < from);
    return true;
  }

  /** The record's sequence. */
  public long sequence() {
    return nextSequence - 1;
  }

  /** The node that assigned the sequence. */
  public NodeId node() {
    return header.node();
  }

  /** The stream the record belongs to. */
  public Stream stream() {
    return entry.stream;
  }

  /** Whether it is a tombstone: the record was erased, and its length is 0. */
  public boolean isErased() {
    return entry.isErased();
  }

  /** Writes the key that the record was appended with, also where the record has gone. */
  void key(RecordKeys keys, long[] key) {
    entry.key(keys, buffer, key);
  }

  /** When it was written, epoch ms. */
  public long receivedAtMillis() {
    return receivedAtMillis;
  }

  /** The range without records before the record's segment; null when there is none. */
  public @Nullable LostRange lostBefore() {
    LostRange lost = segment == null ? null : segment.lost();
    return lost == null || gapFrom >= lost.from()
        ? lost
        : new LostRange(gapFrom, lost.to(), lost.isSkipped());
  }

  /** Everything up to this sequence was read, or has no record, or is before where it began. */
  public long passed() {
    return recordsLeft > 0 ? nextSequence - 1 : Math.max(from, nextSequence) - 1;
  }

  /** The array that holds the record, valid until {@link #next} is called again. */
  public byte[] bytes() {
    return buffer;
  }

  /** Where in {@link #bytes} the record starts. */
  public int offset() {
    return entry.offset;
  }

  /** The record's length in bytes. */
  public int length() {
    return entry.length;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
      file = null;
    }
  }

  private void advance() throws DamagedLogException {
    if (!entry.read(view, recordAt, recordEnd)) {
      throw damaged("a record without a known stream or longer than its batch");
    }
    recordAt = entry.offset + entry.length;
    recordsLeft--;
    nextSequence++;
  }

  private boolean nextBatch() throws IOException {
    if (segment == null && !openFirst()) {
      return false;
    }
    while (nextSequence <= durable.getAsLong()) {
      int batch = wholeBatch();
      if (batch == 0) {
        refill();
        batch = wholeBatch();
      }
      if (batch > 0) {
        enter(batch);
        if (recordsLeft > 0) {
          return true;
        }
      } else if (!openNext()) {
        return false;
      }
    }
    return false;
  }

  private void enter(int batch) throws DamagedLogException {
    if (view.getInt(at + BatchFormat.FLAGS_AT) != 0) {
      throw damaged("a batch of a kind that this program does not know");
    }
    recordsLeft = view.getInt(at + BatchFormat.COUNT_AT);
    receivedAtMillis = view.getLong(at + BatchFormat.TIME_AT);
    recordAt = at + BatchFormat.HEADER_BYTES;
    recordEnd = at + batch;
    at += batch;
  }

  /** The length of the batch, if it is whole and sound in the buffer; else 0. */
  private int wholeBatch() {
    if (limit - at < BatchFormat.HEADER_BYTES
        || view.getLong(at + BatchFormat.EPOCH_AT) != header.epoch()
        || view.getLong(at + BatchFormat.FIRST_SEQUENCE_AT) != nextSequence) {
      return 0;
    }
    int batch = view.getInt(at + BatchFormat.LENGTH_AT);
    return batch >= BatchFormat.HEADER_BYTES
            && batch <= limit - at
            && BatchFormat.checksum(view, at, batch, crc) == view.getInt(at + BatchFormat.CRC_AT)
        ? batch
        : 0;
  }

  /** Reads again from the start of the next batch, all of it if its length is known. */
  private void refill() throws IOException {
    // Large chunks for a reader that catches up. Small ones for a reader at the end, where most of
    // a chunk is not written yet.
    chunkBytes =
        at > chunkBytes / 2
            ? Math.min(2 * chunkBytes, CHUNK_BYTES_MAX)
            : Math.max(chunkBytes / 2, CHUNK_BYTES_MIN);
    filePosition += at;
    at = 0;
    limit = 0;
    read(chunkBytes);
    int batch = limit >= BatchFormat.HEADER_BYTES ? view.getInt(BatchFormat.LENGTH_AT) : 0;
    if (batch > limit && batch <= fileBytes - filePosition && deserves(batch)) {
      read(batch);
    }
  }

  /** Whether memory for a batch of that length may be allocated: a damaged length could be huge. */
  private boolean deserves(int batch) throws IOException {
    return batch <= buffer.length || (file != null && scan(file).lengthAt(filePosition) == batch);
  }

  private BatchScan scan(Disk.File source) throws IOException {
    Path path = segment == null ? folder : segment.path();
    return new BatchScan(new SegmentWindow(source), header.epoch(), path);
  }

  private void read(int wanted) throws IOException {
    if (wanted > buffer.length) {
      byte[] larger = new byte[wanted];
      System.arraycopy(buffer, 0, larger, 0, limit);
      buffer = larger;
      view = ByteBuffer.wrap(buffer);
    }
    Disk.File source = file;
    if (source == null) {
      throw new IllegalStateException("this reader is closed");
    }
    view.limit(wanted).position(limit);
    while (limit < wanted) {
      int count = source.read(view, filePosition + limit);
      if (count < 0) {
        break;
      }
      limit += count;
    }
    view.limit(buffer.length).position(0);
  }

  private boolean openFirst() throws IOException {
    while (true) {
      refreshSegments();
      Segments.Segment first = segments.holding(from);
      first = first == null ? segments.oldest() : first;
      if (first == null) {
        return false;
      }
      if (open(first)) {
        gapFrom = first.lostFrom();
        nextSequence = first.firstSequence();
        return true;
      }
    }
  }

  private boolean openNext() throws IOException {
    Segments.Segment present = segment;
    if (present == null) {
      return false;
    }
    while (true) {
      refreshSegments();
      Segments.Segment next = segments.after(present.firstSequence());
      if (next == null) {
        return lookBehind();
      }
      boolean overtaken = !segments.has(present);
      if (next.lostFrom() != nextSequence && !overtaken) {
        // Another process may have written here and begun the next segment between two looks.
        refill();
        if (wholeBatch() > 0) {
          return true;
        }
        throw damaged(
            "sequence " + nextSequence + " cannot be read; the next segment has later ones");
      }
      boolean isEmpty = nextSequence == present.firstSequence();
      if (open(next)) {
        gapFrom = isEmpty && present.lost() != null ? gapFrom : next.lostFrom();
        nextSequence = next.firstSequence();
        return true;
      }
    }
  }

  /**
   * Handles a batch that cannot be read at the end of the newest segment. If it was durable, it is
   * damaged. Beside a running server that cannot be known: most likely it is not written yet.
   */
  private boolean lookBehind() throws IOException {
    Disk.File source = file;
    if (beside) {
      if (source == null || !scan(source).isDurableBehind(filePosition, nextSequence)) {
        return false;
      }
      // The batch may have been written between the two looks.
      refill();
      if (wholeBatch() > 0) {
        return true;
      }
    }
    throw damaged("sequence " + nextSequence + " was durable and cannot be read");
  }

  private void refreshSegments() throws IOException {
    if (beside) {
      segments = Segments.list(disk, folder);
    }
  }

  /**
   * Goes on in the file that has taken the place of the one that is open, if there is one: nothing
   * of what was erased is shown any more, however long ago this reader has read its present batch.
   */
  private void renew() throws IOException {
    replacements = segments.replacements();
    Segments.Segment present = segment;
    Segments.Segment now = present == null ? null : segments.startingAt(present.firstSequence());
    if (now != null && !now.equals(present) && open(now)) {
      from = Math.max(from, nextSequence);
      nextSequence = now.firstSequence();
      recordsLeft = 0;
    }
  }

  /** Opens a segment; false when retention has just deleted it. */
  private boolean open(Segments.Segment next) throws IOException {
    Disk.File opened;
    try {
      opened = disk.openForReading(next.path());
    } catch (NoSuchFileException deleted) {
      refreshSegments();
      if (segments.has(next)) {
        throw deleted;
      }
      return false;
    }
    close();
    file = opened;
    segment = next;
    fileBytes = opened.size();
    filePosition = 0;
    at = 0;
    limit = 0;
    read(SegmentFormat.HEADER_BYTES);
    header = SegmentFormat.read(ByteBuffer.wrap(buffer, 0, limit).slice(), next.path());
    at = SegmentFormat.HEADER_BYTES;
    return true;
  }

  private DamagedLogException damaged(String what) {
    return new DamagedLogException(
        segment == null ? folder : segment.path(), filePosition + at, what);
  }
}
