package gilmok.log;

import gilmok.storage.Disk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rewrites the log's segments, so that some records become tombstones or get other bytes: {@link
 * Log#rewriter()}. Of a tombstone there is left: the sequence, the stream, the time of receipt and
 * the key by which a repeat is recognised. The package's page describes the bytes, and why no crash
 * loses a record.
 *
 * <p>Thread-safe; one rewriting at a time, the others wait. It blocks, and reads the whole log:
 * give it a thread of low priority.
 */
public final class LogRewriter {
  private static final long PATIENCE_SECONDS = 30;
  private static final long LOOK_MILLIS = 20;

  /** It rests as long as it works, but not longer than this at once. */
  private static final long REST_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

  private final ReentrantLock lock = new ReentrantLock();
  private final LogContext context;
  private final Disk disk;
  private final Path folder;
  private final Segments segments;
  private final AppendQueue queue;
  private final LogWriter writer;
  private final LogWaits waits;
  private final OnReplaced onReplaced;

  /** Called when a segment's file has another in its place. */
  @FunctionalInterface
  interface OnReplaced {
    void accept(long firstSequence) throws IOException;
  }

  LogRewriter(
      LogContext context,
      Path folder,
      Segments segments,
      AppendQueue queue,
      LogWriter writer,
      LogWaits waits,
      OnReplaced onReplaced) {
    this.context = context;
    this.disk = context.disk();
    this.folder = folder;
    this.segments = segments;
    this.queue = queue;
    this.writer = writer;
    this.waits = waits;
    this.onReplaced = onReplaced;
  }

  /** Is told how far a rewriting has come; after a crash, it begins anew and finds less to do. */
  @FunctionalInterface
  public interface Progress {
    /**
     * All records up to a sequence are as they are to be, durably.
     *
     * @param through every segment up to this sequence is done
     * @param of the last sequence that this rewriting comes to
     * @param soFar what was done since it began
     */
    void reached(long through, long of, Counts soFar) throws IOException, InterruptedException;
  }

  /** How many records, by stream, became a tombstone or got other bytes. */
  public record Counts(StreamCounts erased, StreamCounts replaced) {
    Counts() {
      this(new StreamCounts(), new StreamCounts());
    }

    Counts copy() {
      return new Counts(erased.copy(), replaced.copy());
    }
  }

  /**
   * What a rewriting has done.
   *
   * @param through all records up to here were looked at: all that were appended before it began
   * @param unreadable what could not be read, by file, so that it is not known whose it is; empty
   *     unless the log is damaged
   */
  public record Result(long through, Counts counts, List<String> unreadable) {}

  /**
   * Rewrites all segments, up to the last record that was appended before the call. The segment
   * that is being written is ended first if something in it changes. Copies of torn tails, which no
   * record can be told of, are deleted. Idempotent: what is done already is not done again, so a
   * rewriting that a crash, an exception or an interrupt has cut off is called once more.
   *
   * @throws IOException when the disk fails, the log is closed, or there is no room for the next
   *     segment; segments are then as before or as they are to be, each as a whole
   */
  public Result rewrite(RecordRewrite rewrite, Progress progress)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      long through = queue.point().sequence();
      awaitDurable(through);
      TornCopies torn = new TornCopies(disk, folder.resolve("torn"));
      Segments.Segment newest = segments.newest();
      if (newest != null
          && newest.firstSequence() <= through
          && (torn.has(newest) || changes(newest, through + 1, rewrite))) {
        end(through);
      }
      Result result = each(1, through, rewrite, progress);
      torn.deleteBefore(segments.newest());
      return result;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The same from the segment of one sequence up to another, and only of segments that end there or
   * before; the one that is being written is not ended.
   */
  public Result rewriteEnded(long from, long through, RecordRewrite rewrite, Progress progress)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      Segments.Segment last = segments.startingAt(through + 1);
      Segments.Segment cut = last == null ? segments.holding(through) : null;
      long whole = through;
      if (cut != null && (segments.after(cut.firstSequence()) == null || !endsAt(cut, through))) {
        whole = cut.firstSequence() - 1; // that segment has later records, too
      }
      return each(from, whole, rewrite, progress);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end of a rewriting under way, which ends as the log's queue is closed. */
  void close() throws IOException {
    boolean isInterrupted = false;
    try {
      if (!lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the disk did not answer within " + PATIENCE_SECONDS + " s");
      }
      lock.unlock();
    } catch (InterruptedException hurried) {
      isInterrupted = true;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether a segment that is not the newest has no record behind that sequence. */
  private boolean endsAt(Segments.Segment segment, long through) {
    Segments.Segment next = segments.after(segment.firstSequence());
    return next != null && next.lostFrom() <= through + 1;
  }

  private Result each(long from, long through, RecordRewrite rewrite, Progress progress)
      throws IOException, InterruptedException {
    Counts counts = new Counts();
    List<String> unreadable = new ArrayList<>();
    Segments.Segment first = segments.holding(from);
    Segments.Segment one = first == null ? segments.oldest() : first;
    while (one != null && one.firstSequence() <= through) {
      Segments.Segment next = segments.after(one.firstSequence());
      if (next == null) {
        break; // being written, and nothing in it changes
      }
      try {
        rewrite(one, next.lostFrom(), rewrite, counts);
      } catch (DamagedLogException damaged) {
        unreadable.add(String.valueOf(damaged.getMessage()));
      } catch (NoSuchFileException deleted) {
        // By the retention.
      }
      progress.reached(Math.min(next.firstSequence() - 1, through), through, counts.copy());
      one = next;
    }
    return new Result(through, counts, List.copyOf(unreadable));
  }

  private boolean changes(Segments.Segment segment, long next, RecordRewrite rewrite)
      throws IOException, InterruptedException {
    try (Disk.File file = disk.openForReading(segment.path())) {
      return new SegmentRewrite(file, segment, next, rewrite, context.keys(), pace()).changes();
    }
  }

  private void rewrite(Segments.Segment segment, long next, RecordRewrite rewrite, Counts counts)
      throws IOException, InterruptedException {
    if (!changes(segment, next, rewrite)) {
      return;
    }
    Path beside = folder.resolve(SegmentFormat.REWRITTEN_PREFIX + segment.path().getFileName());
    try (Disk.File file = disk.openForReading(segment.path())) {
      SegmentRewrite one = new SegmentRewrite(file, segment, next, rewrite, context.keys(), pace());
      long bytes = write(one, beside);
      checkOpen();
      if (segments.replace(segment, bytes, () -> disk.rename(beside, segment.path()))) {
        disk.forceFolder(folder);
        onReplaced.accept(segment.firstSequence());
        counts.erased().add(one.erased());
        counts.replaced().add(one.replaced());
      } else {
        disk.delete(beside);
      }
    }
  }

  private long write(SegmentRewrite one, Path beside) throws IOException, InterruptedException {
    deleteLeftover(beside);
    try (Disk.File target = disk.create(beside)) {
      return one.write(target, context.random().nextLong() | 1);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      try {
        disk.delete(beside);
      } catch (IOException left) {
        failed.addSuppressed(left); // the next rewriting or start deletes it
      }
      throw failed;
    }
  }

  private void deleteLeftover(Path beside) throws IOException {
    if (disk.list(folder).contains(beside.getFileName().toString())) {
      disk.delete(beside);
    }
  }

  private void awaitDurable(long through) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (writer.durable() < through) {
      checkOpen();
      checkPatience(until);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Ends the segment that is being written, which has records up to that sequence. */
  private void end(long through) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (isWritten(through)) {
      checkOpen();
      AwaitedAppend ended = new AwaitedAppend();
      boolean isTaken = queue.endSegment(ended);
      while (isTaken && !ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        checkOpen();
        checkPatience(until);
      }
      if (!isTaken && System.nanoTime() - until > 0) {
        throw new IOException(
            "the log has no room for the next segment, so the present one cannot be ended: raise"
                + " log.bytes-max, or wait until the sinks have come further");
      }
      if (!isTaken) {
        TimeUnit.MILLISECONDS.sleep(Math.max(1, waits.pause()));
      }
    }
  }

  private boolean isWritten(long through) {
    Segments.Segment newest = segments.newest();
    return newest != null && newest.firstSequence() <= through;
  }

  private SegmentRewrite.Pace pace() {
    long[] began = {System.nanoTime()};
    return () -> {
      checkOpen();
      long worked = System.nanoTime() - began[0];
      if (waits.pause() > 0) {
        TimeUnit.NANOSECONDS.sleep(Math.min(worked, REST_NANOS_MAX));
      }
      began[0] = System.nanoTime();
    };
  }

  private static void checkPatience(long untilNanos) throws IOException {
    if (System.nanoTime() - untilNanos > 0) {
      throw new IOException("the disk did not answer within " + PATIENCE_SECONDS + " s");
    }
  }

  private void checkOpen() throws IOException {
    if (queue.isClosed()) {
      throw new IOException(
          "the log is closed, or has failed; a rewriting goes on when it is called again");
    }
  }
}
