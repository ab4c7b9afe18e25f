package gilmok.log;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Reads a part of the log once, past what is damaged: the rest of a damaged segment is left out,
 * and logged. Not thread-safe.
 *
 * @param what reads it, for the operator, as in "an export"
 * @param through the last sequence that is read
 */
public record LogScan(Log log, String what, long through) {
  private static final Logger LOGGER = System.getLogger("gilmok.log");

  /** Takes the records. */
  @FunctionalInterface
  public interface Taker {
    /**
     * Takes the record that the reader is at; false to stop behind it.
     *
     * @throws InterruptedException to stop at once
     */
    boolean take(LogReader reader) throws IOException, InterruptedException;
  }

  /**
   * Reads from a sequence on. Returns where another call would go on; a sequence behind {@link
   * #through} at the end.
   */
  public long read(long from, Taker taker) throws IOException, InterruptedException {
    long next = Math.max(from, Math.max(1, log.oldestSequence()));
    while (next <= through) {
      try (LogReader reader = log.reader(next)) {
        while (next <= through) {
          if (!reader.next() || reader.sequence() > through) {
            return through + 1;
          }
          next = reader.sequence() + 1;
          if (!taker.take(reader)) {
            return next;
          }
        }
      } catch (DamagedLogException damaged) {
        long behind = Math.min(log.nextSegment(next), through + 1);
        LOGGER.log(
            Level.WARNING,
            "{0} leaves out what is damaged in the log, {1} to {2}: {3}",
            what,
            next,
            behind - 1,
            damaged.getMessage());
        next = behind;
      }
    }
    return next;
  }
}
