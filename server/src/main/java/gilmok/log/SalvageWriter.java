package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes sound batches into a new log, each under its own sequence. Where sequences are missing, a
 * segment ends, and the header of the next names them.
 *
 * <p>Not thread-safe: owned by the salvaging thread.
 */
final class SalvageWriter implements SalvageScan.Visitor, AutoCloseable {
  private final Disk disk;
  private final Path folder;
  private final RandomGenerator random;
  private final Map<Long, SalvageAccount.Gap> gaps = new HashMap<>();
  private final Map<Long, LostRange> skipped = new HashMap<>();
  private final StreamCounts counts;
  private final CRC32C crc = new CRC32C();

  private Disk.@Nullable File file;
  private SegmentFormat.Header header = new SegmentFormat.Header(new NodeId(0), 1, 0);
  private int source = -1;
  private long position;
  private long timeMillis;
  private long next;

  /**
   * @param skipped the sequences that never had a durable record
   * @param begin the sequence at which the log begins
   * @param before how many records there were before it
   */
  SalvageWriter(
      Disk disk,
      Path folder,
      RandomGenerator random,
      List<SalvageAccount.Gap> gaps,
      List<LostRange> skipped,
      long begin,
      StreamCounts before) {
    this.disk = disk;
    this.folder = folder;
    this.random = random;
    gaps.forEach(gap -> this.gaps.put(gap.range().from(), gap));
    skipped.forEach(range -> this.skipped.put(range.from(), range));
    next = begin;
    counts = before.copy();
  }

  @Override
  public void batch(SalvageScan.Batch batch) throws IOException {
    if (file == null || batch.source() != source || batch.first() != next) {
      begin(batch.header(), batch.first());
      source = batch.source();
    }
    ByteBuffer copy = batch.bytes().copy(batch.at(), batch.length());
    timeMillis = copy.getLong(BatchFormat.TIME_AT);
    BatchFormat.seal(
        copy,
        batch.length(),
        header.epoch(),
        batch.first(),
        timeMillis,
        batch.first() - 1,
        batch.records(),
        crc);
    write(copy);
    counts.add(batch.counts());
    next += batch.records();
  }

  @Override
  public void footer(long sequence, StreamCounts said) {
    // New footers are written: those of the damaged log may contradict what is left of it.
  }

  /**
   * Ends the log before a sequence; what comes after the last sound batch is missing.
   *
   * @param node the owner of a segment that has no record to tell it
   */
  void end(long sequence, NodeId node) throws IOException {
    if (sequence > next) {
      begin(new SegmentFormat.Header(node, 1, timeMillis), sequence);
    }
    close();
    disk.forceFolder(folder);
  }

  private void begin(SegmentFormat.Header from, long first) throws IOException {
    close();
    long lostFrom = next;
    boolean isSkipped = true;
    while (next < first) {
      LostRange range = skipped.get(next);
      if (range != null) {
        next = range.to() + 1;
        continue;
      }
      isSkipped = false;
      SalvageAccount.Gap gap = gaps.get(next);
      if (gap == null) {
        throw new IllegalStateException("nothing was counted from " + next + " to " + first);
      }
      counts.add(gap.counts());
      next = gap.range().to() + 1;
    }
    header =
        new SegmentFormat.Header(
            from.node(), random.nextLong() | 1, from.createdAtMillis(), from.format());
    file = disk.create(folder.resolve(SegmentFormat.fileName(first)));
    position = 0;
    write(SegmentFormat.headed(header, lostFrom, isSkipped && lostFrom < first));
    writeFooter();
  }

  private void writeFooter() throws IOException {
    write(SegmentFooter.batch(counts, header.epoch(), next, timeMillis));
  }

  private void write(ByteBuffer bytes) throws IOException {
    if (file == null) {
      throw new IllegalStateException("no segment was begun");
    }
    int length = bytes.remaining();
    file.write(bytes, position);
    position += length;
  }

  @Override
  public void close() throws IOException {
    Disk.File written = file;
    if (written != null) {
      try (written) {
        writeFooter();
        written.force();
      } finally {
        file = null;
      }
    }
  }
}
