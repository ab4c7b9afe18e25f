package gilmok.log;

import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a log as files, for a copy of it: all that were ended, and of the newest as much
 * as a sequence needs. A server may be writing to them. Immutable.
 *
 * @param files the oldest first
 * @param through the last sequence that they hold for certain; 0 for none
 */
public record SegmentFiles(List<File> files, long through) {
  public SegmentFiles {
    files = List.copyOf(files);
  }

  /**
   * A segment, or its beginning.
   *
   * @param first its first sequence
   * @param epoch random, so that with the first sequence it is like no other
   * @param bytes how many of its bytes belong to the copy
   * @param isEnded whether nothing is written to it any more
   */
  public record File(long first, long epoch, Path path, long bytes, boolean isEnded) {}

  /** Bytes of a segment's head that {@link #epoch(byte[])} needs. */
  public static final int HEAD_BYTES = SegmentFormat.HEADER_BYTES;

  /** The epoch in the head of a segment, in whatever state the rest of it is. */
  public static long epoch(byte[] head) {
    return SegmentFormat.epoch(ByteBuffer.wrap(head));
  }

  /** The file of the segment that begins with that sequence. */
  public static Path path(Path log, long first) {
    return log.resolve(SegmentFormat.fileName(first));
  }

  /** All segments of a log that no server writes to. */
  public static SegmentFiles ofStopped(Path log) throws IOException {
    return upTo(log, Long.MAX_VALUE);
  }

  /** The ended segments of a log, the oldest first. Reads their headers only. */
  public static List<File> ended(Path log) throws IOException {
    Disk disk = new FileDisk();
    Segments segments = Segments.list(disk, log);
    List<File> files = new ArrayList<>();
    Segments.Segment one = segments.oldest();
    while (one != null) {
      Segments.Segment next = segments.after(one.firstSequence());
      if (next != null) {
        try (Disk.File file = disk.openForReading(one.path())) {
          files.add(ended(one, new SegmentWindow(file, SegmentFormat.HEADER_BYTES)));
        } catch (NoSuchFileException deleted) {
          files.clear(); // the log begins behind it
        }
      }
      one = next;
    }
    return files;
  }

  private static File ended(Segments.Segment one, SegmentWindow bytes) throws IOException {
    return new File(one.firstSequence(), epoch(one, bytes), one.path(), bytes.size(), true);
  }

  private static long epoch(Segments.Segment one, SegmentWindow bytes) throws IOException {
    int head = (int) Math.min(SegmentFormat.HEADER_BYTES, bytes.size());
    return SegmentFormat.read(bytes.copy(0, head), one.path()).epoch();
  }

  /**
   * The segments that hold all records up to a sequence that is durable. Reads the newest one.
   *
   * @throws DamagedLogException when the newest ends with damage
   */
  public static SegmentFiles upTo(Path log, long durable) throws IOException {
    Disk disk = new FileDisk();
    Segments segments = Segments.list(disk, log);
    List<File> files = new ArrayList<>();
    long through = durable == Long.MAX_VALUE ? 0 : durable;
    Segments.Segment one = segments.oldest();
    while (one != null && one.firstSequence() <= durable) {
      Segments.Segment next = segments.after(one.firstSequence());
      try (Disk.File file = disk.openForReading(one.path())) {
        Piece piece = piece(file, one, next, durable);
        files.add(piece.file);
        through = durable == Long.MAX_VALUE ? piece.last : through;
      } catch (NoSuchFileException deleted) {
        files.clear(); // the log begins behind it
      }
      one = next;
    }
    return new SegmentFiles(files, through);
  }

  private record Piece(File file, long last) {}

  private static Piece piece(
      Disk.File file, Segments.Segment one, Segments.@Nullable Segment next, long durable)
      throws IOException {
    SegmentWindow bytes = new SegmentWindow(file);
    if (next != null) {
      return new Piece(ended(one, bytes), next.firstSequence() - 1);
    }
    long epoch = epoch(one, bytes);
    BatchScan scan = new BatchScan(bytes, epoch, one.path());
    long end = SegmentFormat.HEADER_BYTES;
    long sequence = one.firstSequence();
    int length = scan.lengthAt(end);
    while (length > 0 && sequence <= durable) {
      sequence += scan.records(end);
      end += length;
      length = scan.lengthAt(end);
    }
    boolean isShort = durable != Long.MAX_VALUE && sequence <= durable;
    if (isShort || (length == 0 && scan.isDurableBehind(end, sequence))) {
      throw new DamagedLogException(
          one.path(), end, "sequence " + sequence + " was durable and cannot be read");
    }
    return new Piece(new File(one.firstSequence(), epoch, one.path(), end, false), sequence - 1);
  }
}
