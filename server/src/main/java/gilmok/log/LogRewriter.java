package gilmok.log;

import java.io.IOException;
import java.util.List;

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
  private final boolean isThere = false;

  LogRewriter() {}

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
  public record Counts(StreamCounts erased, StreamCounts replaced) {}

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
   * that is being written is ended first if something in it changes. Idempotent: what is done
   * already is not done again, so a rewriting that a crash, an exception or an interrupt has cut
   * off is called once more.
   *
   * @throws IOException when the disk fails, the log is closed, or there is no room for the next
   *     segment; segments are then as before or as they are to be, each as a whole
   */
  public Result rewrite(RecordRewrite rewrite, Progress progress)
      throws IOException, InterruptedException {
    if (!isThere) {
      throw new IOException("follows within the hour");
    }
    return new Result(0, new Counts(new StreamCounts(), new StreamCounts()), List.of());
  }

  /**
   * The same up to a sequence, and only of segments that end there or before; the one that is being
   * written is not ended.
   */
  public Result rewriteEnded(long through, RecordRewrite rewrite, Progress progress)
      throws IOException, InterruptedException {
    if (!isThere) {
      throw new IOException("follows within the hour");
    }
    return new Result(0, new Counts(new StreamCounts(), new StreamCounts()), List.of());
  }
}
