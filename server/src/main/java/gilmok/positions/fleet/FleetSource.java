package gilmok.positions.fleet;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the positions of all nodes can be read: those known when the reading began, and those that
 * came later. Not thread-safe: owned by the follower's loop.
 */
public interface FleetSource extends AutoCloseable {
  /** How long a reading waits for something to read. */
  Duration WAIT_MAX = Duration.ofSeconds(1);

  /**
   * The outcome of one reading.
   *
   * @param isWhole whether everything was read that there was at the begin
   * @param isAtEnd whether there was nothing more to read
   * @param behindMillis how much older the last one read is than the newest there is; 0 at the end
   * @param fault why a part cannot be read while the rest goes on, for the operator; null: none
   */
  record Progress(boolean isWhole, boolean isAtEnd, long behindMillis, @Nullable String fault) {}

  /**
   * Adds what comes next to the records, in bounded number: positions that other nodes collected.
   * If there is nothing, it waits for it, at most {@link #WAIT_MAX}.
   *
   * @throws IOException when the source cannot be read; the next call goes on behind what was read
   */
  Progress read(FleetRecords records) throws IOException, InterruptedException;

  @Override
  void close();
}
