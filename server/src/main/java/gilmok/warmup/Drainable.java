package gilmok.warmup;

import java.time.Duration;

/** A part of the server that has work to finish at a graceful shutdown. */
public interface Drainable {
  /** The part's name, as in {@code http}. */
  String name();

  /**
   * Finishes the work that has begun and accepts no more. Called once, in the order in which the
   * parts were added, on the thread of the shutdown.
   *
   * @param patience how long it may take; unfinished work is then abandoned
   */
  void drain(Duration patience) throws InterruptedException;

  /** The time left until {@code untilNanos}, in the nanoseconds of {@link System#nanoTime}. */
  static Duration left(long untilNanos) {
    return Duration.ofNanos(Math.max(1_000_000, untilNanos - System.nanoTime()));
  }
}
