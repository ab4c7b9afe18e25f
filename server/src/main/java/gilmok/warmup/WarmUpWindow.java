package gilmok.warmup;

import java.time.Duration;

/**
 * What happened in a short time of a warm-up.
 *
 * @param phase what was asked
 * @param at its end, counted from the beginning
 * @param requests answered in it
 * @param rate requests a second
 * @param micros a request took, on average
 * @param compilerMillis the compiler's threads worked in it
 * @param throttledMillis the container's limit held the process up in it; 0 without one
 */
public record WarmUpWindow(
    Phase phase,
    Duration at,
    long requests,
    double rate,
    double micros,
    double compilerMillis,
    double throttledMillis) {

  /** What is asked. */
  public enum Phase {
    /** Every branch as often as every other. */
    BRANCHES,
    /** What comes in crowds, as often as it comes. */
    LOAD,
    /** Nothing: the compiler finishes what it has begun. */
    SETTLING
  }
}
