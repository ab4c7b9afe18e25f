package gilmok.lab.capacity;

import gilmok.lab.Metrics;
import org.HdrHistogram.Histogram;

/**
 * One look at everything that could be full. Immutable.
 *
 * @param nanos when, by {@link System#nanoTime}
 * @param metrics the server's; none if it could not be asked
 * @param serverThreads the server's threads so far
 * @param ownThreads those of the load so far
 * @param machine the machine so far
 * @param serverNanos processor time of the server so far
 * @param ownNanos processor time of the load so far
 * @param latencies of the answers since the look before, in nanoseconds
 */
record ResourceSample(
    long nanos,
    Metrics metrics,
    ThreadTimes serverThreads,
    ThreadTimes ownThreads,
    MachineTimes machine,
    long serverNanos,
    long ownNanos,
    Histogram latencies) {}
