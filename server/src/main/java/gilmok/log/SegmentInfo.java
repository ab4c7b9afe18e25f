package gilmok.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a segment is, for people.
 *
 * @param lastSequence 0 when it holds none
 * @param startMillis when its first batch was written, epoch ms; 0 when it holds none
 * @param bytes size of the file
 */
public record SegmentInfo(
    String fileName,
    NodeId node,
    long firstSequence,
    long lastSequence,
    long startMillis,
    long bytes) {

  /** The segments of a log that another process may be writing, the oldest first. */
  public static List<SegmentInfo> list(Disk disk, Path folder) throws IOException {
    Segments segments = Segments.list(disk, folder);
    List<SegmentInfo> infos = new ArrayList<>();
    Segments.Segment segment = segments.oldest();
    while (segment != null) {
      Segments.Segment next = segments.after(segment.firstSequence());
      long last = next == null ? last(disk, folder, segment) : next.firstSequence() - 1;
      infos.add(info(disk, segment, last));
      segment = next;
    }
    return infos;
  }

  private static SegmentInfo info(Disk disk, Segments.Segment segment, long last)
      throws IOException {
    ByteBuffer head = ByteBuffer.allocate(SegmentFormat.HEADER_BYTES + BatchFormat.HEADER_BYTES);
    try (Disk.File file = disk.openForReading(segment.path())) {
      while (head.hasRemaining() && file.read(head, head.position()) >= 0) {
        // Until the end.
      }
    }
    SegmentFormat.Header header = SegmentFormat.read(head.flip(), segment.path());
    boolean holds = last >= segment.firstSequence();
    return new SegmentInfo(
        segment.path().getFileName().toString(),
        header.node(),
        segment.firstSequence(),
        holds ? last : 0,
        holds ? head.getLong(SegmentFormat.HEADER_BYTES + BatchFormat.TIME_AT) : 0,
        segment.bytes());
  }

  private static long last(Disk disk, Path folder, Segments.Segment segment) throws IOException {
    long last = 0;
    try (LogReader reader = LogReader.beside(disk, folder, segment.firstSequence())) {
      while (reader.next()) {
        last = reader.sequence();
      }
    }
    return last;
  }
}
