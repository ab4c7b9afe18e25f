package gilmok.lab.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What one lane has counted: answers, what was accepted, latencies in nanoseconds, what went wrong.
 * Owned by its lane's event loop; others may read {@link #answered} and {@link #failed} at any
 * time, the rest once the lane has ended.
 */
final class Tally {
  static final long LATENCY_NANOS_MAX = 120_000_000_000L;
  private static final int KINDS_OF_ERRORS_MAX = 10;

  final Histogram latencies = new Histogram(1_000L, LATENCY_NANOS_MAX, 3);

  /** The same of all answers, also before the measured part; another thread takes it in turns. */
  final Recorder everything = new Recorder(1_000L, LATENCY_NANOS_MAX, 3);

  private final Histogram thisSecond = new Histogram(10_000L, LATENCY_NANOS_MAX, 2);
  private Histogram[] seconds = {};
  private long presentSecond;
  private long worstSecondP99;
  final Map<String, Long> errors = new LinkedHashMap<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  long answeredMeasured;
  long accepted;
  long duplicates;

  /**
   * Keeps the latencies of each of the first seconds of the measured part apart.
   *
   * @param count how many; each takes some 200 KB
   */
  void keepSeconds(int count) {
    seconds = new Histogram[count];
    for (int i = 0; i < count; i++) {
      seconds[i] = new Histogram(1_000L, LATENCY_NANOS_MAX, 3);
    }
  }

  /** Those kept, in their order; nanoseconds. */
  List<Histogram> seconds() {
    return List.of(seconds);
  }

  /** An answer as it should be. */
  void answer(int acceptedNow) {
    accepted += acceptedNow;
    answered.setRelease(answered.getPlain() + 1);
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
    answeredMeasured++;
    long latency = Math.clamp(latencyNanos, 0, LATENCY_NANOS_MAX);
    latencies.recordValue(latency);
    thisSecond.recordValue(latency);
    if (second < seconds.length) {
      seconds[(int) second].recordValue(latency);
    }
  }

  /** The highest p99 that any one second had, in nanoseconds. */
  long worstSecondP99() {
    return Math.max(worstSecondP99, thisSecond.getValueAtPercentile(99));
  }

  /** Something that voids the run, by kind. */
  void error(String kind) {
    error(kind, 1);
  }

  void error(String kind, long times) {
    if (times > 0) {
      failed.addAndGet(times);
      String kept = errors.size() < KINDS_OF_ERRORS_MAX ? kind : "other";
      errors.merge(errors.containsKey(kind) ? kind : kept, times, Long::sum);
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
