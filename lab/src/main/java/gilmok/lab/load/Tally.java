package gilmok.lab.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one lane: responses, latencies in nanoseconds, errors. Owned by its lane's event
 * loop; other threads may read {@link #answered} and {@link #failed} at any time, and the rest
 * after the lane has ended.
 */
final class Tally {
  private static final long LATENCY_NANOS_MAX = 120_000_000_000L;
  private static final int KINDS_OF_ERRORS_MAX = 10;

  final Histogram latencies = histogram();

  /** How late exchanges were sent for which a connection was free: the load's own fault. */
  final Histogram lateness = histogram();

  final Map<String, Long> errors = new LinkedHashMap<>();
  final List<Histogram> seconds;

  private final @Nullable Recorder everything;
  private final Histogram thisSecond = new Histogram(10_000L, LATENCY_NANOS_MAX, 2);
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private long refused;
  private long neverSent;
  private long presentSecond;
  private long worstSecondP99;

  /**
   * An empty tally.
   *
   * @param everything also receives the latencies of all good responses, including those before the
   *     measured part; read by another thread at intervals
   * @param keptSeconds how many of the first seconds of the measured part get a histogram of their
   *     own, of some 200 KB each
   */
  Tally(@Nullable Recorder everything, int keptSeconds) {
    this.everything = everything;
    this.seconds = Stream.generate(Tally::histogram).limit(keptSeconds).toList();
  }

  /** A new histogram for latencies. */
  static Histogram histogram() {
    return new Histogram(1_000L, LATENCY_NANOS_MAX, 3);
  }

  /** A new recorder of latencies that one thread writes and another reads at intervals. */
  static Recorder recorder() {
    return new Recorder(1_000L, LATENCY_NANOS_MAX, 3);
  }

  /**
   * Counts a response.
   *
   * @param wrong what is wrong with it; null if nothing is
   */
  void answered(long latencyNanos, @Nullable String wrong, Response response) {
    if (wrong != null) {
      if (!errors.containsKey(wrong)) {
        System.err.println(response);
      }
      error(wrong, 1);
      return;
    }
    answered.setRelease(answered.getPlain() + 1);
    if (everything != null) {
      everything.recordValue(Math.clamp(latencyNanos, 0, LATENCY_NANOS_MAX));
    }
  }

  /**
   * Adds a latency of the measured part.
   *
   * @param second in which of its seconds it lies
   */
  void measure(long latencyNanos, long second) {
    if (second != presentSecond) {
      worstSecondP99 = worstSecondP99();
      thisSecond.reset();
      presentSecond = second;
    }
    long latency = Math.clamp(latencyNanos, 0, LATENCY_NANOS_MAX);
    latencies.recordValue(latency);
    thisSecond.recordValue(latency);
    if (second < seconds.size()) {
      seconds.get((int) second).recordValue(latency);
    }
  }

  /** Notes how late an exchange was sent although a connection was free. */
  void sentLate(long nanos) {
    lateness.recordValue(Math.clamp(nanos, 0, LATENCY_NANOS_MAX));
  }

  /** Counts an expected refusal. */
  void refused(boolean isMeasured) {
    refused += isMeasured ? 1 : 0;
    answered.setRelease(answered.getPlain() + 1);
  }

  /** Counts exchanges that were due and not sent before the end; they make the run void. */
  void neverSent(long exchanges) {
    neverSent += exchanges;
    error("never sent", exchanges);
  }

  /** Expected refusals of the measured part. */
  long refused() {
    return refused;
  }

  /** Exchanges that were due and not sent. */
  long neverSent() {
    return neverSent;
  }

  /** The highest p99 of any second, in nanoseconds. */
  long worstSecondP99() {
    return Math.max(worstSecondP99, thisSecond.getValueAtPercentile(99));
  }

  /** Counts errors of a kind; any error makes the run void. */
  void error(String kind, long times) {
    if (times > 0) {
      failed.addAndGet(times);
      boolean isNamed = errors.containsKey(kind) || errors.size() < KINDS_OF_ERRORS_MAX;
      errors.merge(isNamed ? kind : "other", times, Long::sum);
    }
  }

  /** The number of errors so far. Thread-safe. */
  long failed() {
    return failed.get();
  }

  /** The number of good responses so far. Thread-safe. */
  long answered() {
    return answered.getAcquire();
  }
}
