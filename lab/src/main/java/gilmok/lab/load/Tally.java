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
 * What one lane has counted: answers, latencies in nanoseconds, what went wrong. Owned by its
 * lane's event loop; others may read {@link #answered} and {@link #failed} at any time, the rest
 * once the lane has ended.
 */
final class Tally {
  private static final long LATENCY_NANOS_MAX = 120_000_000_000L;
  private static final int KINDS_OF_ERRORS_MAX = 10;

  final Histogram latencies = histogram();
  final Map<String, Long> errors = new LinkedHashMap<>();
  final List<Histogram> seconds;

  private final @Nullable Recorder everything;
  private final Histogram thisSecond = new Histogram(10_000L, LATENCY_NANOS_MAX, 2);
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private long presentSecond;
  private long worstSecondP99;

  /**
   * @param everything where the latencies of all good answers go too, also of those before the
   *     measured part; another thread takes it in turns
   * @param keptSeconds how many of the first seconds of the measured part are kept apart, too; each
   *     takes some 200 KB
   */
  Tally(@Nullable Recorder everything, int keptSeconds) {
    this.everything = everything;
    this.seconds = Stream.generate(Tally::histogram).limit(keptSeconds).toList();
  }

  /** A new one for latencies. */
  static Histogram histogram() {
    return new Histogram(1_000L, LATENCY_NANOS_MAX, 3);
  }

  /** A new one for latencies that one thread writes and another reads in turns. */
  static Recorder recorder() {
    return new Recorder(1_000L, LATENCY_NANOS_MAX, 3);
  }

  /**
   * An answer.
   *
   * @param wrong what is wrong with it; null when it is as it should be
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
   * A latency of the measured part.
   *
   * @param second which second of it
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

  /** The highest p99 that any one second had, in nanoseconds. */
  long worstSecondP99() {
    return Math.max(worstSecondP99, thisSecond.getValueAtPercentile(99));
  }

  /** Something that voids the run, by kind. */
  void error(String kind, long times) {
    if (times > 0) {
      failed.addAndGet(times);
      boolean isNamed = errors.containsKey(kind) || errors.size() < KINDS_OF_ERRORS_MAX;
      errors.merge(isNamed ? kind : "other", times, Long::sum);
    }
  }

  /** How many errors so far. From any thread. */
  long failed() {
    return failed.get();
  }

  /** How many good answers so far. From any thread. */
  long answered() {
    return answered.getAcquire();
  }
}
