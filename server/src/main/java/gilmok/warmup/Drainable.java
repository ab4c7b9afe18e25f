package gilmok.warmup;

import java.time.Duration;

/** A part that has something to finish when the server is told to stop. */
public interface Drainable {
  /** The part's name, as in {@code http}. */
  String name();

  /**
   * Finishes what has begun and takes nothing new. Called once, in the order the parts were added,
   * on the stopping thread.
   *
   * @param patience how long it may take; what is unfinished by then is given up
   */
  void drain(Duration patience) throws InterruptedException;

  /** What of a patience is left until its end by the clock of {@link System#nanoTime}. */
  static Duration left(long untilNanos) {
    return Duration.ofNanos(Math.max(1_000_000, untilNanos - System.nanoTime()));
  }
}
