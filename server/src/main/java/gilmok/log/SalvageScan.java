package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a damaged log from end to end: every sound batch once and in order, whatever is between
 * them. After damage it finds the next batch by the segment's epoch and the batch's checksum.
 * Blocks that cannot be read count as damaged.
 *
 * <p>Not thread-safe: owned by the salvaging thread.
 */
record SalvageScan(Disk disk, List<Source> sources) {
  /**
   * A file with sound batches.
   *
   * @param first the sequence of its first sound batch
   * @param skippedFrom where the sequences before it begin that were skipped; 0 if none were
   */
  private record Source(Path path, SegmentFormat.Header header, long first, long skippedFrom) {}

  /** Receives the sound batches and footers, in order. */
  interface Visitor {
    /** A batch of records; no record is given twice. */
    void batch(Batch batch) throws IOException;

    /** A footer: the number of records before {@code sequence}. */
    void footer(long sequence, StreamCounts counts) throws IOException;

    /** Sequences that never had a durable record. */
    default void skipped(LostRange range) throws IOException {}
  }

  /**
   * A sound batch.
   *
   * @param source the file's number, counted from 0
   */
  record Batch(
      int source,
      SegmentFormat.Header header,
      SegmentWindow bytes,
      BatchScan scan,
      long at,
      int length,
      long first,
      int records) {
    StreamCounts counts() throws IOException {
      return scan.count(at, length, records);
    }
  }

  /**
   * Scans the segments of a folder.
   *
   * @param node the owner of a segment whose header is damaged, if no other segment names one
   */
  static SalvageScan of(Disk disk, Path log, NodeId node) throws IOException {
    List<Source> sources = new ArrayList<>();
    NodeId last = node;
    for (String name : disk.list(log).stream().filter(SegmentFormat::isSegment).sorted().toList()) {
      Source source = source(disk, log.resolve(name), last);
      if (source != null) {
        sources.add(source);
        last = source.header().node();
      }
    }
    // By their content, as names may have been swapped.
    sources.sort(Comparator.comparingLong(Source::first));
    return new SalvageScan(disk, sources);
  }

  /** The node of the newest segment; null when there is none. */
  @Nullable NodeId newestNode() {
    return sources.isEmpty() ? null : sources.getLast().header().node();
  }

  /**
   * Passes all sound batches and footers to a visitor.
   *
   * @param begin batches before this sequence are left out
   */
  void read(long begin, Visitor visitor) throws IOException {
    long next = begin;
    for (int i = 0; i < sources.size(); i++) {
      Source source = sources.get(i);
      try (Disk.File file = new LenientFile(disk.openForReading(source.path()))) {
        if (source.skippedFrom() > 0 && source.first() > next) {
          visitor.skipped(new LostRange(source.skippedFrom(), source.first() - 1, true));
        }
        next = read(i, source, new SegmentWindow(file), next, visitor);
      }
    }
  }

  private static long read(
      int number, Source source, SegmentWindow bytes, long begin, Visitor visitor)
      throws IOException {
    BatchScan scan = new BatchScan(bytes, source.header().epoch(), source.path());
    long next = begin;
    for (long at = scan.nextSound(SegmentFormat.HEADER_BYTES); at >= 0; ) {
      int length = scan.lengthAt(at);
      long first = scan.firstSequence(at);
      int records = scan.records(at);
      if (records > 0 && first >= next) {
        visitor.batch(new Batch(number, source.header(), bytes, scan, at, length, first, records));
        next = first + records;
      } else if (records == 0 && first >= next) {
        StreamCounts counts = scan.footer(at, length);
        if (counts != null) {
          visitor.footer(first, counts);
        }
        next = first;
      }
      at += length;
      at = scan.lengthAt(at) > 0 ? at : scan.nextSound(at);
    }
    return next;
  }

  private static @Nullable Source source(Disk disk, Path path, NodeId node) throws IOException {
    try (Disk.File file = new LenientFile(disk.openForReading(path))) {
      SegmentWindow bytes = new SegmentWindow(file);
      SegmentFormat.Header header = header(bytes, path, node);
      if (header == null) {
        return null;
      }
      BatchScan scan = new BatchScan(bytes, header.epoch(), path);
      long at = scan.nextSound(SegmentFormat.HEADER_BYTES);
      return at < 0
          ? null
          : new Source(path, header, scan.firstSequence(at), skippedFrom(bytes, scan, at));
    }
  }

  /** Where the sequences before a segment begin that its header says were skipped; 0 if none. */
  private static long skippedFrom(SegmentWindow bytes, BatchScan scan, long firstSound)
      throws IOException {
    ByteBuffer header = bytes.copy(0, SegmentFormat.HEADER_BYTES);
    long first = scan.firstSequence(firstSound);
    return SegmentFormat.isSkipped(header, first) ? SegmentFormat.lostFrom(header, first) : 0;
  }

  /**
   * The segment's header; if it is damaged, made from the first sound batch, which has the epoch
   * too.
   */
  private static SegmentFormat.@Nullable Header header(SegmentWindow bytes, Path path, NodeId node)
      throws IOException {
    if (bytes.size() < SegmentFormat.HEADER_BYTES + BatchFormat.HEADER_BYTES) {
      return null;
    }
    try {
      return SegmentFormat.read(bytes.copy(0, SegmentFormat.HEADER_BYTES), path);
    } catch (DamagedLogException damaged) {
      long dirtyEnd = bytes.endOfBytes(0) - BatchFormat.HEADER_BYTES;
      for (long at = SegmentFormat.HEADER_BYTES; at <= dirtyEnd; at++) {
        if (looksLikeABatch(bytes, at)) {
          long epoch = bytes.getLong(at + BatchFormat.EPOCH_AT);
          if (new BatchScan(bytes, epoch, path).lengthAt(at) > 0) {
            long millis = bytes.getLong(at + BatchFormat.TIME_AT);
            // Whether it was rewritten is not known; the later format is right for both.
            return new SegmentFormat.Header(node, epoch, millis, SegmentFormat.REWRITTEN_FORMAT);
          }
        }
      }
      return null;
    }
  }

  /** A cheap check before the checksum, which takes longer. */
  private static boolean looksLikeABatch(SegmentWindow bytes, long at) throws IOException {
    int length = bytes.getInt(at);
    if (length < BatchFormat.HEADER_BYTES || length > bytes.size() - at) {
      return false;
    }
    int records = bytes.getInt(at + BatchFormat.COUNT_AT);
    long first = bytes.getLong(at + BatchFormat.FIRST_SEQUENCE_AT);
    long durable = bytes.getLong(at + BatchFormat.DURABLE_THROUGH_AT);
    return (bytes.getLong(at + BatchFormat.EPOCH_AT) & 1) == 1
        && bytes.getInt(at + BatchFormat.FLAGS_AT) == 0
        && records >= 0
        && records <= (length - BatchFormat.HEADER_BYTES) / AppendBatch.FRAME_BYTES
        && durable >= 0
        && durable < first;
  }

  /** A file whose unreadable blocks read as zeros. */
  private record LenientFile(Disk.File file) implements Disk.File {
    private static final int BLOCK_BYTES = 4096;

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      int start = target.position();
      int limit = target.limit();
      // Block by block, so that an unreadable block does not hide its neighbours.
      int block = (int) (BLOCK_BYTES - position % BLOCK_BYTES);
      try {
        return file.read(target, position);
      } catch (IOException unreadable) {
        target.position(start).limit(Math.min(limit, start + block));
        try {
          return file.read(target, position);
        } catch (IOException bad) {
          target.position(start);
          int length = (int) Math.min(target.remaining(), file.size() - position);
          target.put(new byte[Math.max(0, length)]);
          return length <= 0 ? -1 : length;
        } finally {
          target.limit(limit);
        }
      }
    }

    @Override
    public void write(ByteBuffer source, long position) {
      throw new UnsupportedOperationException("what is salvaged is not written to");
    }

    @Override
    public void force() {
      throw new UnsupportedOperationException("what is salvaged is not written to");
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
