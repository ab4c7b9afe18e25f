package gilmok.warmup;

import java.time.Duration;

/**
 * A short interval of a warm-up, with its measurements.
 *
 * @param phase the requests of the window
 * @param at its end, counted from the beginning of the warm-up
 * @param requests how many were answered in it
 * @param rate requests a second
 * @param micros the mean time of a request, µs
 * @param compilerMillis how long the compiler's threads worked in it
 * @param throttledMillis how long the container's CPU limit held the process up in it; 0 without
 *     one
 */
public record WarmUpWindow(
    Phase phase,
    Duration at,
    long requests,
    double rate,
    double micros,
    double compilerMillis,
    double throttledMillis) {

  /** What is sent. */
  public enum Phase {
    /** Every branch equally often. */
    BRANCHES,
    /** Hot requests, as often as in production. */
    LOAD,
    /** Nothing, until the compiler is idle. */
    SETTLING
  }
}
