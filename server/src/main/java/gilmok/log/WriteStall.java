package gilmok.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a log that has not failed accepts nothing: it is full, or a disk operation hangs.
 * Thread-safe.
 */
public final class WriteStall {
  /** A commit that takes longer than this means that the disk hangs. */
  private static final int HUNG_SECONDS = 5;

  private final LogWriter writer;
  private final SegmentPreallocator preallocator;
  private final AppendQueue queue;
  private final Segments segments;
  private final Cursors cursors;

  WriteStall(
      LogWriter writer,
      SegmentPreallocator preallocator,
      AppendQueue queue,
      Segments segments,
      Cursors cursors) {
    this.writer = writer;
    this.preallocator = preallocator;
    this.queue = queue;
    this.segments = segments;
    this.cursors = cursors;
  }

  /**
   * Why appends are refused for want of room, and which cursors hold the oldest segment; null while
   * they are not refused.
   */
  public @Nullable String whyFull() {
    if (!queue.lacksRoom()) {
      return null;
    }
    String trouble = preallocator.trouble();
    if (trouble == null) {
      return hung("the next segment has not become ready", preallocator.seconds());
    }
    Segments.Segment oldest = segments.oldest();
    Segments.Segment next = oldest == null ? null : segments.after(oldest.firstSequence());
    List<String> holders =
        next == null
            ? List.of()
            : cursors.behind(next.firstSequence() - 1).stream().map(Cursor::name).sorted().toList();
    return holders.isEmpty()
        ? trouble
        : trouble + "; cursors that hold the oldest segment: " + String.join(", ", holders);
  }

  /** How long the present commit has lasted, in seconds; 0 when there is none. */
  public double commitSeconds() {
    return writer.seconds();
  }

  /** How long the present commit has lasted, as text, when that is too long; else null. */
  public @Nullable String whyHung() {
    return hung("a commit has not come to its end", writer.seconds());
  }

  private static @Nullable String hung(String what, double seconds) {
    return seconds < HUNG_SECONDS ? null : what + " for " + (long) seconds + " s";
  }
}
